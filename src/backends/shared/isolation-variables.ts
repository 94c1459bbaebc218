import type { Launch } from '../../core/claude/backend.js';

/** Lets other sessions of the machine send prompts to this one, and this one to others. */
const peerMessages = 'CLAUDE_CODE_HARBOR_KITE';

/**
 * Keeps others from speaking in a session: its prompts come from its caller, and what it learns about an untrusted
 * project comes from files that Claude has opened.
 */
export function isolationVariables({ options }: Launch): Record<string, string> {
  return {
    [peerMessages]: '0',
    // Otherwise branch names, commit messages and file names are part of every first request.
    ...(options.settingSources.includes('project') ? {} : { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1' }),
  };
}
