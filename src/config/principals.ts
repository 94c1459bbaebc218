import { isObject } from '../core/json.js';
import { guessLimit, nearest } from '../core/text/nearest.js';
import { oneLine } from '../core/text/escape.js';
import { ConfigError, reasonOf } from './config-error.js';
import { parseJsonValue, path as absolutePath, systemUser, type Kind } from './setting.js';
import { settings } from './settings.js';

/** The principal of the first token. Its folders are the settings of the service, and its Claude Code is the user's. */
export const owner = 'owner';

/** What the config file can set for a principal. Except for folders, key and user, each narrows the setting of its name. */
const principalFields = {
  roots: settings.roots.kind,
  trustedRoots: settings.trustedRoots.kind,
  maxSessions: settings.maxSessions.kind,
  maxBudgetUsd: settings.maxBudgetUsd.kind,
  maxBudgetUsdPerDay: settings.maxBudgetUsdPerDay.kind,
  callerTrust: settings.callerTrust.kind,
  approvals: settings.approvals.kind,
  apiKeyFile: absolutePath,
  runAs: systemUser,
} as const satisfies Readonly<Record<string, Kind<unknown>>>;

type Fields = typeof principalFields;

export type PrincipalEntry = {
  readonly [K in keyof Fields]?: Fields[K] extends Kind<infer T> ? T : never;
};

export interface Principals {
  /** The config file, for error messages. */
  readonly file: string;
  readonly entries: ReadonlyMap<string, PrincipalEntry>;
}

/** Safe in a path and in a log line. Wide enough for most subjects of an identity provider. */
const namePattern = /^[A-Za-z0-9](?:[\w.@|:+=-]{0,98}[\w@|:+=-])?$/;

const shownChars = 60;

/** The owner's are settings of the service itself. */
const notForOwner: ReadonlySet<keyof Fields> = new Set(['roots', 'trustedRoots', 'apiKeyFile']);

/** Throws a ConfigError that names the file and the key. */
export function checkPrincipals(file: string, content: unknown): Principals {
  if (!isObject(content))
    throw new ConfigError(
      `${file}: principals: must be an object, such as { "alice": { "roots": ["/srv/alice"] } }`,
    );
  const names = Object.keys(content);
  for (const [index, name] of names.entries()) {
    refuseName(file, name);
    const twin = names.slice(0, index).find((other) => isSame(other, name));
    if (twin !== undefined)
      throw new ConfigError(`${file}: principals: ${twin} and ${name} differ only in case. Rename one.`);
  }
  return {
    file,
    entries: new Map(Object.entries(content).map(([name, entry]) => [name, checkEntry(file, name, entry)])),
  };
}

function refuseName(file: string, name: string): void {
  if (!namePattern.test(name))
    throw new ConfigError(
      `${file}: principals: ${oneLine(JSON.stringify(name), shownChars)} is not a name. Use 1 to 100 letters, digits and . _ @ | : + = -, beginning with a letter or digit.`,
    );
  if (name !== owner && isSame(name, owner))
    throw new ConfigError(`${file}: principals: ${name} differs from ${owner} only in case. Rename it.`);
}

function checkEntry(file: string, name: string, entry: unknown): PrincipalEntry {
  const place = `${file}: principals.${name}`;
  if (!isObject(entry)) throw new ConfigError(`${place}: must be an object, such as { "maxSessions": 2 }`);
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      if (!isField(key)) throw new ConfigError(`${place}: ${unknownField(key)}`);
      if (name === owner && notForOwner.has(key))
        throw new ConfigError(`${place}.${key}: not available for the owner. ${insteadOf(key)}`);
      return [key, checkField(`${place}.${key}`, principalFields[key], value)];
    }),
  );
}

function checkField(place: string, kind: Kind<unknown>, value: unknown): unknown {
  try {
    return parseJsonValue(kind, value);
  } catch (error) {
    throw new ConfigError(`${place}=${oneLine(JSON.stringify(value), shownChars)}: ${reasonOf(error)}`);
  }
}

function isField(key: string): key is keyof Fields {
  return Object.hasOwn(principalFields, key);
}

function unknownField(key: string): string {
  const fields = Object.keys(principalFields);
  const meant = nearest(key, fields, guessLimit(key));
  const guess = meant === undefined ? '.' : `: did you mean ${meant}?`;
  return `${oneLine(JSON.stringify(key), shownChars)} is not a setting of a principal${guess} Use ${fields.join(', ')}.`;
}

function insteadOf(key: keyof Fields): string {
  return key === 'apiKeyFile'
    ? 'Set ANTHROPIC_API_KEY, or sign in to Claude Code.'
    : `Set ${key} at the top level of the file.`;
}

/** Each name becomes a folder, and some file systems ignore case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
