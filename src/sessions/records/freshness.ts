import type { Session } from '../../session/session.js';
import type { RecordStore } from '../../state/record-store.js';
import type { Recovered } from './recovery.js';

/** Whether its record must be read, because another server may have continued the session. */
export async function mayBeBehind(session: Session, records: RecordStore): Promise<boolean> {
  if (session.isAsRecorded) return true;
  return session.mayBeBehind && (await records.isContinued(session.id));
}

/** The sessions whose state in memory is the latest. */
export async function latestOf(
  sessions: readonly Session[],
  records: RecordStore,
): Promise<readonly Session[]> {
  const areBehind = await Promise.all(sessions.map((session) => mayBeBehind(session, records)));
  return sessions.filter((_session, index) => areBehind[index] === false);
}

/** Whether the state in memory is the latest, now that the record was read. */
export function isLatest(known: Session, recovered: Recovered | undefined, records: RecordStore): boolean {
  if (recovered === undefined) return true;
  if (isNewer(recovered, known)) return false;
  records.noteRead(recovered.record);
  return true;
}

/**
 * A session that has run here is replaced only if another server has run or changed it since: a record lacks secret
 * options.
 */
function isNewer(
  { record, elsewhere, events }: Recovered,
  { isAsRecorded, recordedAt, view }: Session,
): boolean {
  const { turnNumber, state, log, options } = view;
  if (elsewhere !== view.elsewhere) return true;
  if (isAsRecorded) return record.updatedAt !== recordedAt || (events.at(-1)?.seq ?? 0) > log.head;
  if (record.turn !== turnNumber) return record.turn > turnNumber;
  const { model, permissionMode } = record.options;
  if (model !== options.model || permissionMode !== options.permissionMode) return true;
  return (record.status === 'cancelled') !== (state.status === 'cancelled');
}
