import type { Launch } from '../../core/claude/backend.js';

/** Claude Code's name for the messages that sessions of one machine send each other. */
const peerMessages = 'CLAUDE_CODE_HARBOR_KITE';

/**
 * Keeps others from speaking in a session: its prompts come from its caller, and what it learns about an untrusted
 * project comes from files that Claude has opened.
 */
export function isolationVariables({ options }: Launch): Record<string, string> {
  return { [peerMessages]: '0', ...(options.settingSources.includes('project') ? {} : untrustedProject) };
}

const untrustedProject = {
  // Otherwise the tasks in `.claude/scheduled_tasks.json` are sent to the model as prompts of the user.
  CLAUDE_CODE_DISABLE_CRON: '1',
  // Otherwise `.claude/agent-memory` is part of the system prompt of the user's agents that keep a memory in the project.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // Otherwise branch names, commit messages and file names are part of the first request.
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
};
