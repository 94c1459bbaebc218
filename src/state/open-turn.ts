import { asNumber, asText, ownValue } from '../core/json.js';
import type { Fields } from './journal/session-journal.js';
import { pidOf, type Servers } from './server-mark.js';

/** Who can still end the turn that a record calls open. */
export type OpenTurn =
  | { readonly owner: 'nobody' }
  | { readonly owner: 'here' }
  | { readonly owner: 'elsewhere'; readonly pid: number; readonly reservedUsd: number }
  /** Its server has stopped or was killed; the turn may have cost up to this amount. */
  | { readonly owner: 'gone'; readonly costUsd: number };

export async function openTurnOf(record: Fields, servers: Servers): Promise<OpenTurn> {
  const server = asText(record['server']);
  if (record['openTurn'] === undefined && !isInTurn(record)) return { owner: 'nobody' };
  if (server === undefined) return isInTurn(record) ? { owner: 'gone', costUsd: 0 } : { owner: 'nobody' };
  if (server === (await servers.own())) return { owner: 'here' };
  if (!(await servers.isAlive(server)))
    return { owner: 'gone', costUsd: asNumber(record['openCostUsd']) ?? 0 };
  const reservedUsd = asNumber(ownValue(record, 'openTurn', 'reservedUsd')) ?? 0;
  return { owner: 'elsewhere', pid: pidOf(server), reservedUsd };
}

/** The end of a turn is several lines. A crash may keep only the first, and another server may read it before the others. */
export function isInTurn({ status }: { readonly status?: unknown }): boolean {
  return status === 'running' || status === 'waiting';
}
