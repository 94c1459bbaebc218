import { fitText } from '../../events/digest.js';
import type { SessionAction } from './session-action.js';
import { listEntry } from './session-views.js';

export const list: SessionAction = {
  takes: ['limit'],
  async run({ limit = 20 }, { sessions }) {
    const entries = sessions.list().map(listEntry);
    return fitText((room) => listPage(entries, Math.min(limit, Math.max(1, Math.floor(room / 50)))));
  },
};

function listPage(entries: readonly unknown[], limit: number): Record<string, unknown> {
  const left = entries.length - limit;
  return {
    sessions: entries.slice(0, limit),
    ...(left > 0 ? { message: `${left} older sessions are not shown` } : {}),
  };
}
