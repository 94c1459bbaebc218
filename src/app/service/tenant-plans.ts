import { createHmac } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from '../app.js';
import { preparedStateDir } from '../state/prepared-state-dir.js';
import {
  realRoots,
  refuseFilesInRoots,
  refuseSharedRoots,
  refuseUsersFolder,
  type GuardedFile,
  type ServiceFolders,
} from './tenant-roots.js';
import { preparedUserFolders, userEnvironment, usersFolderOf, type PlannedUser } from './user-folders.js';
import { tenantUsers } from './tenant-users.js';
import { canSignIn, readApiKey, signedIn } from './tenant-sign-in.js';
import { ConfigError } from '../../config/config-error.js';
import { keyFolderOf } from '../../config/key-folder.js';
import { narrowedSettings } from '../../config/narrowed-settings.js';
import { owner, type PrincipalEntry, type Principals } from '../../config/principals.js';
import type { Settings } from '../../config/settings.js';
import { messageOf } from '../../core/errors.js';
import { makeFolder, ownershipProblem } from '../../files/own-file.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { resolveClaudeHome } from '../../history/claude-home.js';

/** Settings and environment of the sessions of one principal. */
export interface TenantPlan extends Pick<AppConfig, 'settings' | 'environment' | 'home'> {
  readonly principal: string;
  /** Where the operator changes the settings that this principal has of its own, by their keys. */
  readonly places: ReadonlyMap<string, string>;
  /** The user that runs its sessions. Undefined: the user of the service. */
  readonly user?: PlannedUser | undefined;
}

/** By principal. */
export type TenantPlans = ReadonlyMap<string, TenantPlan>;

const noPrincipals: Principals = { file: '', entries: new Map() };

/**
 * Checks everything about the principals and prepares their folders, so that mistakes stop the start and not a later
 * request. Throws a ConfigError.
 */
export function planTenants(config: AppConfig, principals: Principals = noPrincipals): TenantPlans {
  const { settings, environment, home } = config;
  const narrowed = narrowedSettings(settings, principals);
  const others = [...principals.entries].filter(([name]) => name !== owner);
  const users = tenantUsers(principals);
  const sharing = [owner, ...others.map(([name]) => name)].filter((name) => !users.has(name));
  if (others.length > 0 && sharing.length > 0) refuseSharedUid(settings, others.length + 1, sharing);
  const serviceDir = preparedStateDir(settings, environment, home);
  const own = serviceFolders(config, serviceDir);
  const preparedUser = (name: string): TenantPlan['user'] => {
    const user = users.get(name);
    if (user === undefined) return undefined;
    const system = { uid: user.uid, gid: user.gid };
    return { system, name: user.name, folders: preparedUserFolders(own.stateDir, name, system) };
  };
  const ownersPlan = planOwner(config, {
    settings: narrowed.get(owner) ?? settings,
    hasOthers: others.length > 0,
    user: preparedUser(owner),
    serviceDir,
    entry: principals.entries.get(owner) ?? {},
  });
  const plans = others.map(([name, entry]) =>
    planOther(config, {
      name,
      entry,
      own,
      place: `${principals.file}: principals.${name}`,
      settings: narrowed.get(name) ?? settings,
      folder: preparedFolder(config, serviceDir, name),
      user: preparedUser(name),
    }),
  );
  const folders = [ownersPlan, ...plans].map(({ principal, settings: { roots } }) => ({
    principal,
    roots,
    place: principal === owner ? 'roots' : `principals.${principal}.roots`,
  }));
  refuseSharedRoots(folders);
  if (others.length > 0) refuseFilesInRoots(folders, guardedFiles(settings, principals));
  if (users.size > 0) refuseUsersFolder(folders, usersFolderOf(own.stateDir));
  return new Map([ownersPlan, ...plans].map((plan) => [plan.principal, plan]));
}

function refuseSharedUid({ acceptSharedUid }: Settings, count: number, sharing: readonly string[]): void {
  if (acceptSharedUid) return;
  const facts =
    sharing.length === count
      ? `${count} principals (including the owner) would be separated at the API only: all sessions run as the same system user, so an approved command of one principal can read the files of the others.`
      : `Not every principal has runAs: sessions of ${sharing.join(', ')} would run as the user of the service, so an approved command of theirs can read the files of all ${count} principals (including the owner).`;
  throw new ConfigError(
    `${facts} To accept this, pass --accept-shared-uid. Otherwise set runAs for every principal, or run a separate service for each, in a container or as another user.`,
  );
}

/** The folders of other principals are never those of the service. */
function placesOf(name: string, entry: PrincipalEntry): ReadonlyMap<string, string> {
  const keys = [...Object.keys(entry), ...(name === owner ? [] : ['roots', 'trustedRoots'])];
  return new Map(keys.map((key) => [key, `principals.${name}.${key}`]));
}

interface Owner {
  readonly settings: Settings;
  readonly hasOthers: boolean;
  readonly user: TenantPlan['user'];
  readonly serviceDir: string;
  readonly entry: PrincipalEntry;
}

function planOwner(config: AppConfig, { settings, hasOthers, user, serviceDir, entry }: Owner): TenantPlan {
  if (user !== undefined && settings.roots.length === 0)
    throw new ConfigError('roots: required with principals.owner.runAs. Set roots to folders of this user.');
  if (hasOthers && settings.roots.length === 0)
    throw new ConfigError(
      'roots: required when there are other principals. Without roots, sessions of the owner could work in their folders. Set roots to the folders of the owner.',
    );
  // Claude Code of the operator is not readable to this user.
  if (user !== undefined)
    warnOfSignIn(config, {
      principal: owner,
      environment: config.environment,
      folder: user.folders.claude,
      user,
    });
  return {
    principal: owner,
    places: placesOf(owner, entry),
    ...placeOf(config, user),
    settings: {
      ...settings,
      ...(user === undefined
        ? {}
        : { stateDir: serviceDir, defaultCwd: settings.defaultCwd ?? settings.roots[0] }),
      roots: settings.roots.map(realPathOfNearest),
      trustedRoots: settings.trustedRoots.map(realPathOfNearest),
    },
  };
}

interface Other {
  readonly name: string;
  readonly entry: PrincipalEntry;
  readonly place: string;
  readonly settings: Settings;
  readonly folder: string;
  readonly own: ServiceFolders;
  readonly user: TenantPlan['user'];
}

function planOther(config: AppConfig, other: Other): TenantPlan {
  const { environment, redactor } = config;
  const { name, entry, place, settings, folder, own, user } = other;
  const roots = realRoots({ place: `${place}.roots`, roots: entry.roots ?? [] }, own);
  const [firstRoot] = roots;
  if (firstRoot === undefined)
    throw new ConfigError(`${place}: needs roots, such as "roots": ["/srv/${name}"]`);
  const trustedRoots = realRoots({ place: `${place}.trustedRoots`, roots: entry.trustedRoots ?? [] }, own);
  const claudeDir = user?.folders.claude ?? join(folder, 'claude');
  const { apiKeyFile } = entry;
  const apiKey = apiKeyFile === undefined ? undefined : readApiKey(`${place}.apiKeyFile`, apiKeyFile);
  if (apiKey !== undefined) redactor.learn([apiKey]);
  const signed = signedIn(environment, apiKey);
  warnOfSignIn(config, { principal: name, environment: signed, folder: claudeDir, user });
  return {
    principal: name,
    places: placesOf(name, entry),
    ...placeOf({ ...config, environment: { ...signed, CLAUDE_CONFIG_DIR: claudeDir } }, user),
    settings: {
      ...settings,
      roots,
      trustedRoots,
      defaultCwd: firstRoot,
      stateDir: join(folder, 'state'),
      resumeSecret: settings.resumeSecret && derived(settings.resumeSecret, name),
    },
  };
}

function warnOfSignIn(
  { logger }: AppConfig,
  place: Pick<TenantPlan, 'principal' | 'environment' | 'user'> & { readonly folder: string },
): void {
  const { principal, environment, folder, user } = place;
  if (canSignIn(environment, folder)) return;
  const as = user === undefined ? '' : `, as the user with uid ${user.system.uid}`;
  logger.log(
    'warn',
    `Claude Code has no credentials for this principal: set its apiKeyFile or ANTHROPIC_API_KEY, or run "claude-code-mcp login" with CLAUDE_CONFIG_DIR set to this folder${as}`,
    { principal, folder },
  );
}

/** Home and environment of the sessions. */
function placeOf(
  { environment, home }: Pick<AppConfig, 'environment' | 'home'>,
  user: TenantPlan['user'],
): Pick<TenantPlan, 'environment' | 'home' | 'user'> {
  return user === undefined
    ? { environment, home }
    : { environment: userEnvironment(environment, user), home: user.folders.home, user };
}

function guardedFiles({ tlsKey }: Settings, { file, entries }: Principals): GuardedFile[] {
  const keys = [...entries].map(([name, { apiKeyFile }]) => [`principals.${name}.apiKeyFile`, apiKeyFile]);
  return [['--config', file], ['tlsKey', tlsKey], ...keys].flatMap(([place = '', path]) =>
    path === undefined ? [] : [{ place, path }],
  );
}

/** The folder of a principal, which only the user of the service can read or write. */
function preparedFolder(config: AppConfig, serviceDir: string, name: string): string {
  const { settings, environment, home } = config;
  const all = join(serviceDir, 'principals');
  const folder = join(all, encodeURIComponent(name));
  for (const path of [all, folder, join(folder, 'claude')]) makeOwnFolder(path);
  preparedStateDir({ ...settings, stateDir: join(folder, 'state') }, environment, home);
  return folder;
}

function makeOwnFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw new ConfigError(`${path}: cannot be created (${messageOf(error)})`);
  }
  const problem = ownershipProblem(lstatSync(path), 'folder');
  if (problem !== undefined)
    throw new ConfigError(
      `${path}: must be a folder that belongs to you and that others cannot change (${problem})`,
    );
}

function serviceFolders({ environment, home, audit }: AppConfig, serviceDir: string): ServiceFolders {
  const { configDir } = resolveClaudeHome({ home, configDir: environment['CLAUDE_CONFIG_DIR'] });
  return {
    home: realPathOfNearest(home),
    stateDir: realPathOfNearest(serviceDir),
    keyFolder: realPathOfNearest(keyFolderOf(environment, home)),
    claudeDir: realPathOfNearest(configDir),
    auditLog: audit?.path,
  };
}

/** A token that one principal received must not be valid for another. */
function derived(secret: string, name: string): string {
  return createHmac('sha256', secret).update(`principal:${name}`).digest('base64url');
}
