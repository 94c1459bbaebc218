import { resolve } from 'node:path';
import { oneLine } from '../core/text/escape.js';
import { mask } from '../core/observability/mask.js';
import { ConfigError, reasonOf } from './config-error.js';
import { guessLimit, nearest } from './nearest.js';
import { readOwnFile } from './own-file.js';
import type { Setting } from './setting.js';
import { settingRows, settings, type SettingKey } from './settings.js';
import { placeOf } from './source.js';

export interface ConfigFile {
  readonly path: string;
  /** What it sets; every value has been checked. */
  readonly values: ReadonlyMap<SettingKey, unknown>;
  readonly warnings: readonly string[];
}

const shownChars = 60;

/** The whole file is checked, also what a variable or a flag overrides: a mistake must not lie in wait. */
export function readConfigFile(name: string): ConfigFile {
  const path = resolve(name);
  const { text, isReadableByOthers } = readOwnFile(path);
  // Some editors begin a file with a byte order mark.
  const values = checkValues(path, parseObject(path, text.replace(/^\uFEFF/, '')));
  return { path, values, warnings: isReadableByOthers ? exposedSecrets(path, values) : [] };
}

/** Apart from the file, so that the examples of the docs are checked by what checks a file. */
export function checkValues(path: string, content: object): ReadonlyMap<SettingKey, unknown> {
  return new Map(
    Object.entries(content).map(([key, value]) => {
      if (!isKey(key)) throw new ConfigError(`${path}: ${unknownKey(key)}`);
      return [key, checkValue(path, key, value)];
    }),
  );
}

function checkValue(path: string, key: SettingKey, value: unknown): unknown {
  const setting: Setting<unknown> = settings[key];
  try {
    return setting.fromJson(value);
  } catch (error) {
    const place = placeOf(key, { kind: 'file', name: path });
    const shown = setting.isSecret === true ? mask : oneLine(JSON.stringify(value), shownChars);
    throw new ConfigError(`${place}=${shown}: ${reasonOf(error)}`);
  }
}

/** An own key of the table: `__proto__` and `constructor` are none. */
function isKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

function unknownKey(key: string): string {
  // Also somebody who wrote the flag or the variable is led to the key.
  const plain = plainName(key);
  const keys = new Map(settingRows.map(([known]) => [plainName(known), known]));
  for (const [known, { env }] of settingRows) for (const name of env) keys.set(plainName(name), known);
  const meant = keys.get(nearest(plain, keys.keys(), guessLimit(plain)) ?? '');
  const guess = meant === undefined ? '.' : `: did you mean ${meant}?`;
  return `${oneLine(JSON.stringify(key), shownChars)} is not a setting${guess} Run claude-code-mcp config for all of them.`;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

function parseObject(path: string, text: string): object {
  const content = parseJson(path, text);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new ConfigError(`${path}: must be a JSON object, such as { "maxSessions": 4 }`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = whereIn(text, reasonOf(error));
    throw new ConfigError(
      `${path}: is not valid JSON${where}. JSON has no comments, and no comma after the last value.`,
    );
  }
}

/** Of the parser's message only the position: the rest quotes the text, which may hold a secret. */
function whereIn(text: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function exposedSecrets(path: string, values: ReadonlyMap<SettingKey, unknown>): string[] {
  return settingRows
    .filter(([key, { isSecret }]) => isSecret === true && values.has(key))
    .map(([key]) => `${path}: ${key} is a secret that other users can read. Run: chmod 600 '${path}'`);
}
