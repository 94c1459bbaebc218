import type { EffectiveOptions } from '../../src/core/options/index.js';
import type { SessionRecord } from '../../src/state/record.js';

export const plainOptions: EffectiveOptions = {
  cwd: '/nowhere/project',
  permissionMode: 'default',
  settingSources: ['user'],
  permissionRequestTimeoutMs: 60_000,
  sessionInitTimeoutMs: 10_000,
  persistSession: true,
  projectSettings: 'as requested',
  notes: [],
};

/** The record of a session after its first turn. */
export function plainRecord(sessionId: string, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    sessionId,
    claudeSessionId: sessionId,
    createdAt: 1_000,
    updatedAt: 2_000,
    status: 'idle',
    turn: 1,
    totals: { turns: 1, costUsd: 0 },
    options: plainOptions,
    ...changes,
  };
}
