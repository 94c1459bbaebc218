import { jsonLine, oneLine } from '../../core/text/escape.js';
import type { ListedSession, SessionListPage } from '../../sessions/session-list.js';
import { dollars } from '../../core/text/dollars.js';
import { isoTime } from '../../core/text/iso-time.js';
import { count, shortFolder, span } from '../terminal/amounts.js';
import type { Color } from '../terminal/paint.js';
import { table, type Column, type TableLayout } from '../terminal/table.js';
import { fit } from '../terminal/width.js';

/** `open`: a terminal or another program has it open. `on disk`: it can be resumed. */
type Status = NonNullable<ListedSession['ours']>['state']['status'] | 'open' | 'on disk';

/** A session as programs read it. */
interface Row {
  readonly sessionId: string;
  readonly status: Status;
  readonly title: string;
  readonly folder: string;
  /** Missing for sessions that no server has run. */
  readonly costUsd?: number;
  readonly lastUsedAt: string;
  /** The process that runs it or has it open. */
  readonly pid?: number;
}

export const statusColors: Readonly<Record<Status, Color>> = {
  running: 'cyan',
  waiting: 'yellow',
  idle: 'green',
  error: 'red',
  cancelled: 'dim',
  open: 'cyan',
  'on disk': 'dim',
};

/** Enough to tell thousands of sessions apart. */
export const idChars = 8;

export interface ListLayout extends TableLayout {
  readonly home: string;
  readonly now: number;
  /** What the titles, prompts or folders must contain. */
  readonly wanted?: string | undefined;
}

/** A first prompt can be long. */
const maxTitleColumns = 60;

const columns: readonly Column[] = [
  { title: 'ID', color: () => 'bold' },
  { title: 'STATUS', color: (cell) => statusColors[cell as Status] },
  { title: 'TITLE', isFlexible: true },
  { title: 'FOLDER', isFlexible: true },
  { title: 'COST', align: 'right' },
  { title: 'AGE', align: 'right' },
];

export function listText({ entries, more, skipped }: SessionListPage, layout: ListLayout): string {
  if (entries.length === 0 && layout.wanted !== undefined)
    return `No session has ${JSON.stringify(oneLine(layout.wanted, 100))} in its title, first prompt or folder.\n`;
  if (entries.length === 0)
    return 'No sessions found. A client starts one with the tool claude_code; you start one with claude.\n';
  const rows = entries.map((entry) => {
    const { sessionId, status, title, folder, costUsd } = rowOf(entry);
    const cost = costUsd === undefined ? '–' : dollars(costUsd);
    const age = span(layout.now - entry.lastUsedAt);
    return [
      sessionId.slice(0, idChars),
      status,
      fit(title, maxTitleColumns),
      shortFolder(folder, layout.home),
      cost,
      age,
    ];
  });
  const notes = [
    more === 0 ? '' : `${count(more, 'more session')}: add --limit ${entries.length + more}\n`,
    skipped === 0 ? '' : `${count(skipped, 'file')} could not be read\n`,
  ].join('');
  return `${table(columns, rows, layout)}${notes === '' ? '' : `\n${layout.paint('dim', notes)}`}`;
}

export function listJson({ entries, more, skipped }: SessionListPage): string {
  return `${jsonLine({ sessions: entries.map(rowOf), more, skipped })}\n`;
}

/** One id per line, for scripts and completion. */
export function listIds({ entries }: SessionListPage): string {
  return entries.map(({ sessionId }) => `${sessionId}\n`).join('');
}

function rowOf({ sessionId, ours, disk, lastUsedAt, ownerPid }: ListedSession): Row {
  const pid = ours === undefined ? ownerPid : ours.elsewhere;
  return {
    sessionId,
    status: ours?.state.status ?? (ownerPid === undefined ? 'on disk' : 'open'),
    title: oneLine(titleOf(ours, disk), 200),
    folder: oneLine(ours?.folder ?? disk?.cwd ?? '', 300),
    ...(ours === undefined ? {} : { costUsd: ours.totals.costUsd }),
    lastUsedAt: isoTime(lastUsedAt),
    ...(pid === undefined ? {} : { pid }),
  };
}

function titleOf(ours: ListedSession['ours'], disk: ListedSession['disk']): string {
  const title = ours?.title ?? disk?.title ?? ours?.firstPrompt ?? disk?.firstPrompt;
  return title?.trim() ?? '(no prompt yet)';
}
