import { closeSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NotPrivateError, openPrivateFile, type PrivateFile } from '../files/private-file.js';
import { isMissing } from '../files/regular-file.js';
import { oneLine } from '../core/text/escape.js';
import { isObject } from '../core/json.js';
import { mask } from '../core/observability/mask.js';
import { ConfigError, reasonOf } from './config-error.js';
import { guessLimit, nearest, plainName } from '../core/text/nearest.js';
import { checkPrincipals, type Principals } from './principals.js';
import { parseJsonValue, type Setting } from './setting.js';
import { settingRows, settings, type SettingKey } from './settings.js';

export interface ConfigFile {
  readonly path: string;
  /** The values that passed all checks. */
  readonly values: ReadonlyMap<SettingKey, unknown>;
  /** Undefined if the file names none. */
  readonly principals?: Principals | undefined;
  readonly warnings: readonly string[];
}

const shownChars = 60;

/** Checks the whole file, including values that a variable or flag overrides, so that no mistake surfaces later. */
export function readConfigFile(name: string): ConfigFile {
  const path = resolve(name);
  const { descriptor, isReadableByOthers } = open(path);
  const text = readFileSync(descriptor, 'utf8');
  closeSync(descriptor);
  // Some editors begin a file with a byte order mark.
  const { principals, ...content } = parseObject(path, text.replace(/^\uFEFF/, ''));
  const values = checkValues(path, content);
  return {
    path,
    values,
    principals: principals === undefined ? undefined : checkPrincipals(path, principals),
    warnings: isReadableByOthers ? exposedSecrets(path, values) : [],
  };
}

/** The file decides what callers may do, so only its owner may be able to change it. */
function open(path: string): PrivateFile {
  try {
    return openPrivateFile(path, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof NotPrivateError)
      throw new ConfigError(
        {
          'symbolic-link': `${path}: is a symbolic link. Pass the path of the file that it points to.`,
          'wrong-kind': `${path}: is not a file. Pass the path of a JSON file.`,
          'writable-by-others': `${path}: can be changed by other users. Run: chmod go-w '${path}'`,
        }[error.problem],
      );
    if (isMissing(error)) throw new ConfigError(`${path}: file not found. Check --config.`);
    throw new ConfigError(`${path}: cannot be read (${reasonOf(error)}). Check its permissions.`);
  }
}

/** Separate from reading the file, so that the docs can check their examples. */
export function checkValues(path: string, content: object): ReadonlyMap<SettingKey, unknown> {
  return new Map(
    Object.entries(content).map(([key, value]) => {
      if (!isKey(key)) throw new ConfigError(`${path}: ${unknownKey(key)}`);
      return [key, checkValue(path, key, value)];
    }),
  );
}

function checkValue(path: string, key: SettingKey, value: unknown): unknown {
  const { kind, isSecret }: Setting = settings[key];
  try {
    return parseJsonValue(kind, value);
  } catch (error) {
    const shown = isSecret === true ? mask : oneLine(JSON.stringify(value), shownChars);
    throw new ConfigError(`${path}: ${key}=${shown}: ${reasonOf(error)}`);
  }
}

/** Own keys only: `__proto__` and `constructor` are not settings. */
function isKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

function unknownKey(key: string): string {
  // A flag or variable also suggests its key.
  const plain = plainName(key);
  const keys = new Map(
    settingRows.flatMap(({ key: known, env }) => [known, ...env].map((name) => [plainName(name), known])),
  );
  const meant = keys.get(nearest(plain, keys.keys(), guessLimit(plain)) ?? '');
  const guess = meant === undefined ? '.' : `: did you mean ${meant}?`;
  return `${oneLine(JSON.stringify(key), shownChars)} is not a setting${guess} Run claude-code-mcp config to list all settings.`;
}

function parseObject(path: string, text: string): Readonly<Record<string, unknown>> {
  const content = parseJson(path, text);
  refuseRepeatedKeys(path, text);
  if (isObject(content)) return content;
  throw new ConfigError(`${path}: must be a JSON object, such as { "maxSessions": 4 }`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = whereIn(text, reasonOf(error));
    throw new ConfigError(
      `${path}: is not valid JSON${where}. JSON allows no comments, and no comma after the last value.`,
    );
  }
}

/** Of two values, the parser would take the last without a word: a restriction could be lost. The text is valid JSON. */
function refuseRepeatedKeys(path: string, text: string): void {
  const objects: Set<string>[] = [];
  for (const { 1: key, 2: brace, index } of text.matchAll(keysAndBraces)) {
    if (brace === '{') objects.push(new Set());
    else if (brace === '}') objects.pop();
    else if (key !== undefined) {
      const name = String(JSON.parse(key));
      const keys = objects.at(-1);
      if (keys?.has(name) === true) {
        const shown = oneLine(JSON.stringify(name), shownChars);
        throw new ConfigError(`${path}: ${shown}${placeOf(text, index)} appears twice. Keep one of them.`);
      }
      keys?.add(name);
    }
  }
}

/** Only a key is followed by a colon. Other texts are matched so that what they contain is not. */
const keysAndBraces = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|([{}])/g;

/** Takes only the position from the parser's message: the rest quotes the text, which may hold a secret. */
function whereIn(text: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? '' : placeOf(text, Number(position));
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function exposedSecrets(path: string, values: ReadonlyMap<SettingKey, unknown>): string[] {
  return settingRows
    .filter(({ key, isSecret }) => isSecret === true && values.has(key))
    .map(({ key }) => `${path}: ${key} is a secret that other users can read. Run: chmod 600 '${path}'`);
}
