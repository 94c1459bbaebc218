import type { ContextUsage, McpServerState, Rewinding } from '../../core/claude/backend.js';
import type { PermissionMode } from '../../core/options/tools.js';

/** Names and states only: the rest of the configuration contains headers and commands. */
export function toServers(
  servers: readonly { readonly name: string; readonly status: string; readonly error?: string }[],
): readonly McpServerState[] {
  return servers.map(({ name, status, error }) => ({
    name,
    status,
    ...(error === undefined ? {} : { error }),
  }));
}

/** The full report costs about fourteen token-counting calls. */
export const contextRequest = { detail: 'summary' } as const;

export function toContext({ totalTokens, maxTokens, percentage }: ContextUsage): ContextUsage {
  return { totalTokens, maxTokens, percentage };
}

/** Settings that go with a mode: otherwise an agent could load a skill in plan mode whose shell lines run without asking. */
export function settingsFor(mode: PermissionMode): { readonly disableSkillShellExecution: true | null } {
  return { disableSkillShellExecution: mode === 'plan' ? true : null };
}

export interface RewindAnswer {
  readonly canRewind?: boolean;
  readonly error?: string;
  readonly filesChanged?: string[];
  readonly insertions?: number;
  readonly deletions?: number;
  readonly skippedLinks?: number;
}

/** Claude Code's error for a missing checkpoint or message. */
const noCheckpoint = /no file checkpoint/i;

export function toRewinding({
  canRewind = false,
  error = 'Claude Code gave no reason',
  filesChanged = [],
  insertions = 0,
  deletions = 0,
  skippedLinks = 0,
}: RewindAnswer): Rewinding | undefined {
  if (canRewind) return { files: filesChanged, insertions, deletions, skippedLinks };
  if (noCheckpoint.test(error)) return undefined;
  throw new Error(error);
}
