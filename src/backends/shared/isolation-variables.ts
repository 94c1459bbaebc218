import type { Launch } from '../../core/claude/backend.js';

/** Claude Code's name for the messages that sessions of one machine send each other. */
const peerMessages = 'CLAUDE_CODE_HARBOR_KITE';

/**
 * Keeps others from speaking in a session: its prompts come from its caller, and what it learns about an untrusted
 * project comes from files that Claude has opened.
 */
export function isolationVariables({ options }: Pick<Launch, 'options'>): Record<string, string> {
  const { settingSources, additionalDirectories = [] } = options;
  const isTrusted = settingSources.includes('project');
  return {
    [peerMessages]: '0',
    // In this mode, Claude Code runs no hooks, so that there would be no gate.
    CLAUDE_CODE_SIMPLE: '',
    // Some implementations of grep take options from it, such as those that follow links.
    GREP_OPTIONS: '',
    ...(isTrusted ? {} : untrustedProject),
    // Otherwise `CLAUDE.md` of additional folders is part of the first request, even if they are not trusted.
    ...(isTrusted && additionalDirectories.length === 0
      ? {}
      : { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '' }),
  };
}

const untrustedProject = {
  // Otherwise the tasks in `.claude/scheduled_tasks.json` are sent to the model as prompts of the user.
  CLAUDE_CODE_DISABLE_CRON: '1',
  // Otherwise `.claude/agent-memory` is part of the system prompt of the user's agents that keep a memory in the project.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // Otherwise branch names, commit messages and file names are part of the first request.
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
};
