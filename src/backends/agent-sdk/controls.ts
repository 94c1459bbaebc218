import type { Query } from '@anthropic-ai/claude-agent-sdk';
import type { ContextUsage, McpServerState, Rewinding } from '../../core/claude/backend.js';
import type { PermissionMode } from '../../core/options/tools.js';

export async function readContext(query: Query): Promise<ContextUsage> {
  // The full report costs about fourteen token-counting calls.
  const { totalTokens, maxTokens, percentage } = await query.getContextUsage({ detail: 'summary' });
  return { totalTokens, maxTokens, percentage };
}

export async function setMode(query: Query, mode: PermissionMode): Promise<void> {
  // Otherwise an agent could load a skill in plan mode whose shell lines run without asking.
  await query.applyFlagSettings({ disableSkillShellExecution: mode === 'plan' ? true : null });
  await query.setPermissionMode(mode);
}

/** Names and states only: the rest of the configuration contains headers and commands. */
export async function readServers(query: Query): Promise<readonly McpServerState[]> {
  const servers = await query.mcpServerStatus();
  return servers.map(({ name, status, error }) => ({
    name,
    status,
    ...(error === undefined ? {} : { error }),
  }));
}

/** Claude Code's error for a missing checkpoint or message. */
const noCheckpoint = /no file checkpoint/i;

export async function rewind(
  query: Query,
  messageId: string,
  how: { readonly dryRun: boolean },
): Promise<Rewinding | undefined> {
  const {
    canRewind,
    error = 'Claude Code gave no reason',
    filesChanged = [],
    insertions = 0,
    deletions = 0,
    skippedLinks = 0,
  } = await query.rewindFiles(messageId, how);
  if (canRewind) return { files: filesChanged, insertions, deletions, skippedLinks };
  if (noCheckpoint.test(error)) return undefined;
  throw new Error(error);
}
