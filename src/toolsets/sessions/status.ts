import type { SessionState } from '../../core/session/session-state.js';

export const statuses = ['running', 'waiting_for_input', 'completed', 'error', 'interrupted'] as const;
export type Status = (typeof statuses)[number];

/** The status of a session as this toolset names it. */
export function statusOf({ status, outcome }: SessionState): Status {
  switch (status) {
    case 'waiting':
      return 'waiting_for_input';
    case 'idle':
      return outcome === 'interrupted' ? 'interrupted' : 'completed';
    case 'cancelled':
      return 'interrupted';
    case 'running':
    case 'error':
      return status;
  }
}
