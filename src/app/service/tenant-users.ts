import { ConfigError } from '../../config/config-error.js';
import type { Principals } from '../../config/principals.js';
import { findUser, type NamedUser, type UserProblem } from '../../platform/user-database.js';

/** The system users of the principals that have one, by principal. */
export type TenantUsers = ReadonlyMap<string, NamedUser>;

interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Of the service. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  readonly find: (text: string) => NamedUser | UserProblem;
}

const thisSystem = (): Surroundings => ({
  platform: process.platform,
  uid: process.geteuid?.(),
  gid: process.getegid?.(),
  find: findUser,
});

/** Throws a ConfigError if this service cannot run sessions as these users, or if two principals would share one. */
export function tenantUsers({ file, entries }: Principals, system = thisSystem()): TenantUsers {
  const users = new Map<string, NamedUser>();
  for (const [principal, { runAs }] of entries) {
    if (runAs === undefined) continue;
    const place = `${file}: principals.${principal}.runAs=${runAs}`;
    refuseSystem(place, system);
    const user = system.find(runAs);
    if (typeof user === 'string') throw new ConfigError(`${place}: ${problems[user](runAs)}`);
    refuseOwn(place, user, system);
    const [twin] = [...users].find(([, other]) => other.uid === user.uid) ?? [];
    if (twin !== undefined)
      throw new ConfigError(
        `${place}: ${twin} runs as the same user (uid ${user.uid}). Give each principal a user of its own.`,
      );
    users.set(principal, user);
  }
  return users;
}

function refuseSystem(place: string, { platform, uid }: Surroundings): void {
  if (platform !== 'linux')
    throw new ConfigError(
      `${place}: sessions can run as another user only on Linux. Remove runAs, or run a separate service for each principal.`,
    );
  // A capability is not enough: Claude Code would inherit it, because it is dropped with root only.
  if (uid !== 0)
    throw new ConfigError(
      `${place}: only root can start sessions as another user. Start the service as root, or remove runAs and run a separate service for each principal.`,
    );
}

function refuseOwn(place: string, { uid, gid }: NamedUser, own: Surroundings): void {
  if (uid === 0 || uid === own.uid)
    throw new ConfigError(
      `${place}: this is the user of the service, who can read the files of every principal. Name an unprivileged user.`,
    );
  if (gid === 0 || gid === own.gid)
    throw new ConfigError(
      `${place}: its group (gid ${gid}) is the group of the service. Name an unprivileged group, such as ${uid}:${uid}.`,
    );
}

const problems: Readonly<Record<UserProblem, (text: string) => string>> = {
  'unknown-name': () =>
    '/etc/passwd has no such user. Create the user, or write numbers, such as "1001:1001" (uid:gid).',
  'unknown-group': (text) =>
    `/etc/passwd has no user with this number. Add the group, such as "${text}:${text}" (uid:gid).`,
};
