import { join } from 'node:path';
import { KeptSessions } from '../../console/sessions/kept-sessions.js';
import { systemClock } from '../../core/clock.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import * as processes from '../../platform/processes.js';
import { DayIndex } from '../../state/day-index.js';
import { EventStore } from '../../state/event-store.js';
import { FirstFormat } from '../../state/first-format.js';
import { refuseNewerFormat } from '../../state/folder-format.js';
import { RecordStore } from '../../state/record-store.js';
import { Servers } from '../../state/server-mark.js';
import { FolderLocks } from '../../state/session-locks.js';

export interface KeptSessionsPlace {
  readonly stateDir: string;
  readonly claudeHome: ClaudeHome;
  readonly redactor: Redactor;
}

/** The sessions of a state folder, for reading. Throws if a newer version has written them. */
export function composeKeptSessions({ stateDir, claudeHome, redactor }: KeptSessionsPlace): KeptSessions {
  refuseNewerFormat(stateDir);
  const { startTimeOf, descendantsOf } = processes;
  const servers = new Servers({ pid: process.pid, startTimeOf });
  return new KeptSessions({
    records: new RecordStore({
      stateDir,
      clock: systemClock,
      firstFormat: new FirstFormat(stateDir),
      days: new DayIndex(join(stateDir, 'usage')),
    }),
    events: new EventStore({ stateDir, clock: systemClock, logger: { log: () => undefined } }),
    locks: new FolderLocks({ folder: join(stateDir, 'locks'), servers }),
    servers,
    claudeHome,
    startTimeOf,
    descendantsOf,
    redactor,
  });
}
