import type { Launch } from '../../core/claude/backend.js';

/**
 * Claude Code sends the tasks in `.claude/scheduled_tasks.json` to the model as prompts of the user. They are part of
 * the project, so they run only where its settings are loaded.
 */
export function cronVariables({ options }: Launch): Record<string, string> {
  return options.settingSources.includes('project') ? {} : { CLAUDE_CODE_DISABLE_CRON: '1' };
}
