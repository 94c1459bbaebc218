import type { SessionId } from '../core/ids.js';
import { oneLine } from '../core/text/escape.js';
import type { SessionView } from '../session/session-view.js';
import type { ListedSession, ListedView } from '../sessions/session-list.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { SessionRow, SessionsPage } from './contract.js';
import { visible } from './wording/texts.js';

const maxTitleChars = 120;

export function titleOf({
  id,
  title,
  firstPrompt,
}: Pick<SessionView, 'id' | 'title' | 'firstPrompt'>): string {
  return oneLine(title ?? firstPrompt ?? `Session ${id.slice(0, 8)}`, maxTitleChars);
}

/** A session in memory. */
export function rowOf(view: SessionView): SessionRow {
  return {
    ...ownFields(view),
    createdAt: view.createdAt,
    lastUsedAt: view.lastUsedAt,
    openRequests: view.openInputs.length,
  };
}

function ownFields(view: ListedView): Omit<SessionRow, 'lastUsedAt' | 'openRequests'> {
  const { id, state, totals, options, folder } = view;
  const activity = state.status === 'running' ? view.activity() : undefined;
  return {
    sessionId: id,
    title: titleOf(view),
    folder: visible(folder),
    status: state.status,
    ...(activity === undefined ? {} : { activity: visible(activity) }),
    costUsd: totals.costUsd,
    ...(options.maxBudgetUsd === undefined ? {} : { budgetUsd: options.maxBudgetUsd }),
  };
}

/** A filter by status reads every session, so it reads only the newest. */
const maxFiltered = 2_000;

/** The sessions of this server and, if the operator lets callers list them, those on disk. */
export async function listRows(
  sessions: SessionManager,
  { search, status, offset, limit }: CallInput<'sessions'>,
): Promise<SessionsPage> {
  const { catalogue } = sessions;
  const scope = catalogue.widestScope;
  const query = search === undefined || search.trim() === '' ? undefined : search.trim();
  const toRow = (entry: ListedSession): SessionRow => listedRow(entry, sessions);
  if (status === undefined) {
    const { entries, more } = await catalogue.list({ scope, query, limit, offset });
    return { rows: entries.map(toRow), more };
  }
  const { entries } = await catalogue.list({ scope, query, limit: maxFiltered });
  const rows = entries.map(toRow).filter((row) => row.status === status);
  return { rows: rows.slice(offset, offset + limit), more: Math.max(0, rows.length - offset - limit) };
}

function listedRow(
  { sessionId, ours, disk, lastUsedAt }: ListedSession,
  { approvals }: SessionManager,
): SessionRow {
  const openRequests = approvals.broker.openFor(sessionId).length;
  if (ours !== undefined) {
    const known = ours.title === undefined && disk?.title !== undefined ? { title: lineOf(disk.title) } : {};
    return { ...ownFields(ours), ...known, lastUsedAt, openRequests };
  }
  const title = disk?.title ?? disk?.firstPrompt ?? `Session ${sessionId.slice(0, 8)}`;
  return {
    sessionId,
    title: lineOf(title),
    folder: visible(disk?.cwd ?? ''),
    status: 'disk',
    costUsd: 0,
    lastUsedAt,
    openRequests,
  };
}

function lineOf(title: string): string {
  return oneLine(title, maxTitleChars);
}

/** The row of a session in memory; undefined if it is no longer there. */
export function liveRow(sessions: SessionManager, id: SessionId): SessionRow | undefined {
  const session = sessions.list().find((one) => one.id === id);
  return session && rowOf(session.view);
}
