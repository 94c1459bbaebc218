import { readFileSync } from 'node:fs';
import type { SystemUser } from '../core/processes.js';

export interface NamedUser extends SystemUser {
  /** Undefined for a number without an entry. */
  readonly name: string | undefined;
}

/** Why a text names no user. Callers supply the wording. */
export type UserProblem = 'unknown-name' | 'unknown-group';

/** The user that `alice`, `1001` or `1001:1001` names. `entries` has the format of /etc/passwd. */
export function findUser(
  text: string,
  entries = readFileSync('/etc/passwd', 'utf8'),
): NamedUser | UserProblem {
  const [uid = '', gid] = text.split(':');
  const isNumber = /^\d+$/.test(uid);
  const known = entries
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , id, group]) => ({ name, uid: Number(id), gid: Number(group) }))
    .find((user) => (isNumber ? user.uid === Number(uid) : user.name === text));
  if (gid !== undefined) return { name: known?.name, uid: Number(uid), gid: Number(gid) };
  return known ?? (isNumber ? 'unknown-group' : 'unknown-name');
}
