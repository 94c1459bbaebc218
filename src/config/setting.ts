import { isAbsolute } from 'node:path';
import { splitOutsideBrackets } from '../core/text/split.js';
import { isSecureUrl } from '../core/net.js';
import { isLoopback } from '../core/net.js';
import { metricsTarget } from './metrics-target.js';
import { loopbackAddress } from './loopback-address.js';

/** One operator setting. Flags, variables, config file, help and docs all derive from the table of settings. */
export interface Setting {
  readonly kind: Kind<unknown>;
  /** The first name is ours. A name that other programs share may follow; its invalid values only cause a warning. */
  readonly env: readonly [string, ...string[]];
  readonly fallback: boolean | number | string | readonly string[] | undefined;
  readonly doc: string;
  /** Errors, warnings and `claude-code-mcp config` never show the value. */
  readonly isSecret?: true;
}

/** The values that a setting accepts. */
export interface Kind<T> {
  /** Shown in the help: `--flag <shape>`. */
  readonly shape: string;
  /** Completes "must be …": for flags and variables, and for the config file. */
  readonly accepts: { readonly text: string; readonly json: string };
  /** Returns undefined for a value that the setting does not accept. Without zod, which would delay every start. */
  readonly read: (value: unknown) => T | undefined;
  /** All of them, if they are names. Shells complete these. */
  readonly values?: readonly string[];
  /** Converts the text of a flag or variable to the JSON value. */
  readonly fromText: (text: string) => unknown;
}

/** Throws an Error that describes the accepted values. */
export function parseText(kind: Kind<unknown>, text: string): unknown {
  return check(kind, kind.fromText(text), kind.accepts.text);
}

/** Throws an Error that describes the accepted values. */
export function parseJsonValue(kind: Kind<unknown>, value: unknown): unknown {
  return check(kind, value, kind.accepts.json);
}

function check({ read }: Kind<unknown>, value: unknown, accepted: string): unknown {
  const accepts = read(value);
  if (accepts === undefined) throw new Error(`must be ${accepted}`);
  return accepts;
}

function textThat(isAccepted: (text: string) => boolean): (value: unknown) => string | undefined {
  return (value) => (typeof value === 'string' && isAccepted(value) ? value : undefined);
}

/** Reads an array whose items are all accepted. */
function listOf<T>(read: (value: unknown) => T | undefined): (value: unknown) => readonly T[] | undefined {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(read).filter((item) => item !== undefined);
    return items.length === value.length ? items : undefined;
  };
}

function oneOf<V extends string>(values: readonly V[]): (value: unknown) => V | undefined {
  return (value) => values.find((known) => known === value);
}

function trimmed(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim()) || undefined;
}

export function integer(min: number, max: number): Kind<number> {
  return {
    shape: 'number',
    accepts: both(`a whole number from ${min} to ${max}`, 'without quotes'),
    read: (value) => (Number.isSafeInteger(value) ? between(value, min, max) : undefined),
    fromText: (text) => (text.trim() === '' ? undefined : Number(text)),
  };
}

function between(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined;
}

export const dollars: Kind<number> = {
  shape: 'dollars',
  accepts: both('a number, 0 or more, such as 2.50', 'without quotes'),
  read: (value) => between(value, 0, Number.MAX_VALUE),
  // Plain decimals only: 1e3 or 0x10 is probably a typo.
  fromText: (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
};

export function choice<const V extends string>(...values: readonly V[]): Kind<V> {
  return {
    shape: values.join('|'),
    values,
    accepts: { text: `one of ${values.join(', ')}`, json: `one of ${quoted(values)}` },
    read: oneOf(values),
    fromText: (text) => text,
  };
}

/** A subset of some names, without repetition, in the order of the table. */
export function choices<const V extends string>(...values: readonly V[]): Kind<readonly V[]> {
  return {
    shape: values.join(','),
    values,
    accepts: {
      text: `one or more of ${values.join(', ')}, separated by commas`,
      json: `an array with one or more of ${quoted(values)}`,
    },
    read(value) {
      const chosen = listOf(oneOf(values))(value) ?? [];
      return chosen.length === 0 ? undefined : values.filter((known) => chosen.includes(known));
    },
    fromText: (text) => text.split(',').map((part) => part.trim()),
  };
}

export const onOff: Kind<boolean> = {
  shape: '0|1',
  accepts: { text: '0 or 1', json: 'true or false, without quotes' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  fromText: (text) =>
    new Map([
      ['1', true],
      ['true', true],
      ['0', false],
      ['false', false],
      ['', false],
    ]).get(text),
};

export const text: Kind<string> = {
  shape: 'text',
  accepts: both('a non-empty text', 'in quotes'),
  read: textThat((value) => value.trim() !== ''),
  fromText: (value) => value,
};

/** An address whose answers cannot be changed in transit. */
export const secureUrl: Kind<string> = {
  shape: 'url',
  accepts: both('an https address, or an http address on this machine', 'in quotes'),
  read: textThat(isSecureUrl),
  fromText: (value) => value,
};

export const executable: Kind<string> = {
  shape: 'path',
  accepts: both('a path or a name', 'in quotes'),
  read: textThat((text) => text.trim() !== ''),
  fromText: (text) => text,
};

/** Known to the operator only. A minimum length keeps it from being guessed. */
export function secret(minLength: number): Kind<string> {
  return {
    shape: 'secret',
    accepts: both(`a text of at least ${minLength} characters`, 'in quotes'),
    read: textThat((text) => text.trim().length >= minLength),
    fromText: (text) => text,
  };
}

/** Absolute, because clients may start the server in any folder. */
export const path: Kind<string> = {
  shape: 'path',
  accepts: both('an absolute path', 'in quotes'),
  read: textThat(isAbsolute),
  fromText: (text) => text,
};

/** The largest number that a process can be started with. */
const maxUserId = 2 ** 31 - 1;

export const systemUser: Kind<string> = {
  shape: 'user',
  accepts: both('a user, such as alice, 1001 or 1001:1001 (uid:gid)', 'in quotes'),
  read: textThat(isUserText),
  fromText: (text) => text,
};

function isUserText(text: string): boolean {
  const [, uid, gid] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(text) ?? [];
  if (uid === undefined) return /^[A-Za-z_][\w.-]{0,30}\$?$/.test(text);
  return Number(uid) <= maxUserId && Number(gid ?? 0) <= maxUserId;
}

export function paths(separator: string): Kind<readonly string[]> {
  return {
    shape: `path[${separator}path]`,
    accepts: {
      text: `an absolute path, or several separated by ${separator}`,
      json: 'an array of absolute paths',
    },
    read: listOf(textThat(isAbsolute)),
    fromText(text) {
      const found = text.split(separator).filter((part) => part !== '');
      // An empty list probably comes from an empty variable in a script. The default may allow more.
      return found.length === 0 ? undefined : found;
    },
  };
}

export const names: Kind<readonly string[]> = {
  shape: 'a=b,…',
  accepts: { text: 'pairs separated by commas, such as a=b,c=d', json: 'an array of pairs, such as "a=b"' },
  read: listOf(trimmed),
  fromText: (text) => text.split(',').filter((part) => part.trim() !== ''),
};

export const toolRules: Kind<readonly string[]> = {
  shape: 'a,b',
  accepts: { text: 'names separated by commas', json: 'an array of texts, none of them empty' },
  read: listOf(trimmed),
  fromText: (text) => splitOutsideBrackets(text).filter((part) => part.trim() !== ''),
};

/** Names of environment variables. A name may end with `*`. */
export const variableNames: Kind<readonly string[]> = {
  shape: 'NAME,PREFIX_*',
  accepts: {
    text: 'names of variables separated by commas, such as AWS_REGION or AWS_*',
    json: 'an array of names of variables, such as "AWS_REGION" or "AWS_*"',
  },
  read: listOf(textThat((name) => /^[A-Za-z_]\w*\*?$/.test(name))),
  fromText: (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
};

export const metricsOutput: Kind<string> = {
  shape: 'path|address',
  accepts: both(
    'off, an absolute path, or 127.0.0.1:PORT (also localhost:PORT, [::1]:PORT or :PORT)',
    'in quotes',
  ),
  read: textThat((text) => metricsTarget(text) !== undefined),
  fromText: (text) => text,
};

/** Where the page listens beside stdin and stdout. */
export const webAddress: Kind<string> = {
  shape: 'address|off',
  accepts: both('off, or a loopback address such as 127.0.0.1:0 (0: any free port)', 'in quotes'),
  read: textThat((value) => value === 'off' || loopbackAddress(value) !== undefined),
  fromText: (value) => value,
};

/** An origin: scheme, host and port. Tokens may cross a network only with TLS. */
export const publicUrl: Kind<string> = {
  shape: 'url',
  accepts: both('an https URL without a path, such as https://agents.example.com', 'in quotes'),
  read: (value) => (typeof value === 'string' && isPublicOrigin(value) ? new URL(value).origin : undefined),
  fromText: (value) => value,
};

function isPublicOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin, href, hostname } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && href === `${origin}/`;
}

function both(words: string, inFile: string): Kind<unknown>['accepts'] {
  return { text: words, json: `${words}, ${inFile}` };
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}
