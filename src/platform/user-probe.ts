import { accessSync, constants, readFileSync } from 'node:fs';

/** What the service asks about. */
export interface ProbeQuestion {
  /** Paths that the user must reach, and how. */
  readonly needs: readonly { readonly path: string; readonly how: keyof typeof modes }[];
  /** Paths that the user must not reach. */
  readonly secrets: readonly string[];
}

/** What a process of the user can do. */
export interface ProbeReport {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  /** Powers of root that the process kept. */
  readonly hasCapabilities: boolean;
  readonly unreachable: readonly string[];
  readonly exposed: readonly string[];
}

const modes = {
  run: constants.X_OK,
  read: constants.R_OK,
  enter: constants.X_OK,
  list: constants.R_OK | constants.X_OK,
  write: constants.R_OK | constants.W_OK | constants.X_OK,
} as const;

/** Runs in a process of the user, because only the system knows all its rules: lists, mounts, security modules. */
export function probe({ needs, secrets }: ProbeQuestion): ProbeReport {
  return {
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    groups: process.getgroups?.() ?? [],
    hasCapabilities: /^Cap(?:Prm|Eff|Amb):\s*0*[1-9a-f]/m.test(readFileSync('/proc/self/status', 'utf8')),
    unreachable: needs.filter(({ path, how }) => !can(path, modes[how])).map(({ path }) => path),
    exposed: secrets.filter((path) => can(path, constants.R_OK) || can(path, constants.X_OK)),
  };
}

function can(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
