/** Users of the system for tests that run as root. */
import { chmodSync, chownSync } from 'node:fs';

export const canRunAs = process.platform === 'linux' && process.getuid?.() === 0;

if (!canRunAs)
  // oxlint-disable-next-line no-console -- a skipped security test must not look like a passed one
  console.warn('NOT TESTED: sessions as other users (runAs). These tests need Linux and root.');

/** Numbers that have no entry in /etc/passwd. */
export const uids = { owner: 23_700, alice: 23_701, bob: 23_702 } as const;
export type Principal = keyof typeof uids;

export function userOf(principal: Principal): { readonly uid: number; readonly gid: number } {
  return { uid: uids[principal], gid: uids[principal] };
}

export function giveTo(principal: Principal, path: string, mode: number): void {
  chmodSync(path, mode);
  chownSync(path, uids[principal], uids[principal]);
}
