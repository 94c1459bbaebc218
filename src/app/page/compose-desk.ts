import type { Desk } from '../../page/desk.js';
import type { ComposedSessions } from '../compose-sessions.js';
import type { AppConfig } from '../app.js';

/** The sessions of one principal as a person sees them. */
export function composeDesk(_config: AppConfig, _sessions: ComposedSessions): Desk {
  return {
    call: () => Promise.reject(new Error('the desk is not built yet')),
    about: async () => ({ modes: [], defaultFolder: undefined, budgetTodayUsd: undefined }),
    async *stream() {
      yield { cursor: '0', message: { type: 'hello', now: Date.now(), version: _config.version } } as const;
    },
  };
}
