import { chmodSync, lchownSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import { messageOf } from '../../core/errors.js';
import type { SystemUser } from '../../core/processes.js';
import { ownershipProblem } from '../../files/own-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folders of a principal whose sessions run as a user of their own. */
export interface UserFolders {
  readonly home: string;
  readonly claude: string;
  readonly temporary: string;
  /** Belongs to the service. Contains the files that Claude Code reads at its start. */
  readonly launches: string;
}

/** The user that runs the sessions of a principal. */
export interface PlannedUser {
  readonly system: SystemUser;
  /** Undefined for a number without an entry in /etc/passwd. */
  readonly name: string | undefined;
  readonly folders: UserFolders;
}

/** The environment of its sessions. The variables of the service would lead into the folders of the service. */
export function userEnvironment(
  environment: Environment,
  { system, name, folders }: PlannedUser,
): Environment {
  const user = name ?? String(system.uid);
  const { home, claude, temporary } = folders;
  return {
    ...environment,
    HOME: home,
    USER: user,
    LOGNAME: user,
    TMPDIR: temporary,
    TEMP: undefined,
    TMP: undefined,
    // Otherwise Claude Code would use /tmp, which all users share.
    CLAUDE_CODE_TMPDIR: temporary,
    CLAUDE_CONFIG_DIR: claude,
  };
}

/** Beside the state folder, which no other user may enter. */
export function usersFolderOf(stateDir: string): string {
  return `${stateDir}-users`;
}

/** Creates the folders. Their parent belongs to the service, so that no session can replace one of them by a link. */
export function preparedUserFolders(stateDir: string, principal: string, user: SystemUser): UserFolders {
  const all = usersFolderOf(stateDir);
  const own = join(all, encodeURIComponent(principal));
  const launches = join(own, 'launches');
  for (const path of [all, own, launches]) makePassage(path);
  const folders = { home: join(own, 'home'), claude: join(own, 'claude'), temporary: join(own, 'tmp') };
  for (const path of Object.values(folders)) makeUserFolder(path, user);
  return { ...folders, launches };
}

/** A folder of the service that other users can pass through, but not list. */
function makePassage(path: string): void {
  make(path);
  const problem = ownershipProblem(lstatSync(path), 'folder');
  if (problem !== undefined)
    throw new ConfigError(`${path}: must be a folder that only root can change (${problem}). Remove it.`);
  chmodSync(path, 0o711);
}

function makeUserFolder(path: string, { uid, gid }: SystemUser): void {
  if (make(path)) lchownSync(path, uid, gid);
  const stats: Stats = lstatSync(path);
  if (!stats.isDirectory() || stats.uid !== uid)
    throw new ConfigError(
      `${path}: must be a folder of the user with uid ${uid}, but belongs to uid ${stats.uid}. If runAs has changed, move the folder away.`,
    );
}

/** False if it exists. */
function make(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new ConfigError(`${path}: cannot be created (${messageOf(error)})`);
  }
}
