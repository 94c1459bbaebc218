import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../core/json.js';
import { CannotEditError } from './cannot-edit.js';
import { entryName, type Client, type Entry, type Launch } from './client.js';
import { removeFromJson, setInJson } from './json-edit.js';
import { BrokenFileError, parseConfig } from './parse.js';
import {
  keysFor,
  ownArguments,
  programWords,
  rivalOf,
  startsPackage,
  stateOf,
  withoutMark,
} from './state.js';
import { appendTable, removeFromToml, setInToml } from './toml-edit.js';

/**
 * The text of a configuration file with our entry: a new one, or the present one with another command. Keys and arguments
 * that a person has added to it stay. Throws a BrokenFileError or a CannotEditError.
 */
export function withEntry(client: Client, text: string, launch: Launch): string {
  return edited(text, client, (bare, config) => {
    const state = stateOf(client, bare);
    if (state.kind !== 'configured') {
      const rival = rivalOf(client, config);
      if (rival !== undefined)
        throw new CannotEditError(
          `An entry named "${entryName}" already starts ${rival}. Rename or remove it.`,
        );
      const entry = client.entry(launch);
      const path = [...keysFor(client, config), entryName];
      return {
        text: client.format === 'toml' ? appendTable(bare, path, entry) : setInJson(bare, path, entry),
        expected: withValue(config, path, entry),
      };
    }
    const entry = client.entry(updated(state.command, launch));
    const path = [...state.keys, state.name];
    const set = client.format === 'toml' ? setInToml : setInJson;
    const changes = Object.entries(entry).filter(
      ([key, value]) => !isDeepStrictEqual(state.entry[key], value),
    );
    return {
      text: changes.reduce((changed, [key, value]) => set(changed, [...path, key], value), bare),
      expected: withValue(config, path, { ...state.entry, ...entry }),
    };
  });
}

/**
 * How an entry starts this server from now on. The version and the options of a person for `npx` stay, and so do the
 * settings that are not given again.
 */
function updated(present: readonly string[], launch: Launch): Launch {
  const words = [launch.command, ...launch.args];
  const isSame = words[0] === present[0] && startsPackage(words) && startsPackage(present);
  const given = ownArguments(words);
  const kept = withoutFlags(ownArguments(present), given.map(flagOf));
  const [command = '', ...args] = [...programWords(isSame ? present : words), ...kept, ...given];
  return { command, args };
}

function flagOf(word: string): string {
  return word.split('=', 1)[0] ?? '';
}

/** A value may be a word of its own. */
function withoutFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const isGiven = (word: string | undefined): boolean => word !== undefined && flags.includes(flagOf(word));
  return words.filter((word, index) => {
    const previous = words[index - 1];
    const isValue = isGiven(previous) && previous?.includes('=') === false && !word.startsWith('-');
    return !isGiven(word) && !isValue;
  });
}

/** The text without our entry. `before` is the text as it was before `withEntry`, if it is known. */
export function withoutEntry(client: Client, text: string, before?: string): string {
  const state = stateOf(client, text);
  if (state.kind !== 'configured') return text;
  const [command = '', ...args] = state.command;
  // Nothing else has changed since: no edit could be as exact.
  if (before !== undefined && isResult(client, before, { command, args }, text)) return before;
  return edited(text, client, (bare, config) => {
    const path = [...state.keys, state.name];
    return {
      text: client.format === 'toml' ? removeFromToml(bare, path) : removeFromJson(bare, path),
      expected: withoutValue(config, path),
    };
  });
}

function isResult(client: Client, before: string, launch: Launch, text: string): boolean {
  try {
    return stateOf(client, before).kind === 'absent' && withEntry(client, before, launch) === text;
  } catch {
    return false;
  }
}

interface Result {
  readonly text: string;
  /** What the new text must mean. */
  readonly expected: JsonObject;
}

/** Keeps a byte order mark, and refuses a result that would change anything else. */
function edited(text: string, client: Client, edit: (bare: string, config: JsonObject) => Result): string {
  const bare = withoutMark(text);
  const config = parseConfig(client.format, bare);
  const result = edit(bare, config);
  if (!isDeepStrictEqual(withoutEmpty(meaningOf(client, result.text)), withoutEmpty(result.expected)))
    throw new CannotEditError('The file has a form that cannot be edited without risk to the rest of it.');
  return text.slice(0, text.length - bare.length) + result.text;
}

function meaningOf({ format }: Client, text: string): JsonObject | undefined {
  try {
    return parseConfig(format, text);
  } catch (error) {
    if (error instanceof BrokenFileError) return undefined;
    throw error;
  }
}

/** A table of TOML disappears with its last entry, an object of JSON does not. */
function withoutEmpty(config: JsonObject | undefined): unknown {
  if (config === undefined) return undefined;
  const kept = Object.entries(config).filter(
    ([, value]) => !isObject(value) || Object.keys(value).length > 0,
  );
  return Object.fromEntries(kept);
}

function withValue(
  config: JsonObject,
  [key, ...rest]: readonly string[],
  value: Entry | JsonObject,
): JsonObject {
  if (key === undefined) return value;
  const inner = config[key];
  return { ...config, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

function withoutValue(config: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const { [key]: inner, ...others } = config;
  return rest.length === 0 || !isObject(inner) ? others : { ...config, [key]: withoutValue(inner, rest) };
}
