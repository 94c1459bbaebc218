import { isObject, type JsonObject } from '../../core/json.js';
import { entryName, type Client } from './client.js';
import { BrokenFileError, parseConfig } from './parse.js';

export type ClientState =
  | {
      readonly kind: 'configured';
      /** The name of our entry. A person may have chosen another. */
      readonly name: string;
      /** The keys that lead to it, without its name. */
      readonly keys: readonly string[];
      readonly entry: JsonObject;
      /** The command that the client runs, with its arguments. */
      readonly command: readonly string[];
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly why: string };

/** Whether a client is configured to start this server. The text of its file is undefined if there is none. */
export function stateOf(client: Client, text: string | undefined): ClientState {
  try {
    const config = parseConfig(client.format, withoutMark(text ?? ''));
    for (const keys of client.keys)
      for (const [name, entry] of Object.entries(tableAt(config, keys) ?? {}))
        if (isObject(entry) && isOurs(commandOf(entry)))
          return { kind: 'configured', name, keys, entry, command: commandOf(entry) };
    return { kind: 'absent' };
  } catch (error) {
    if (!(error instanceof BrokenFileError)) throw error;
    return { kind: 'broken', why: error.message };
  }
}

/** The table of servers to which an entry is added. */
export function keysFor(client: Client, config: JsonObject): readonly string[] {
  const [first = [], ...others] = client.keys;
  return others.find((keys) => isTableOfServers(tableAt(config, keys))) ?? first;
}

/** The command of an entry that has our name but starts another program. */
export function rivalOf(client: Client, config: JsonObject): string | undefined {
  const entry = tableAt(config, keysFor(client, config))?.[entryName];
  if (entry === undefined || (isObject(entry) && isOurs(commandOf(entry)))) return undefined;
  const command = isObject(entry) ? commandOf(entry).join(' ') : '';
  return command === '' ? 'another server' : command;
}

/** Undefined if there is none. Throws a BrokenFileError if something else is in its place. */
function tableAt(config: JsonObject, keys: readonly string[]): JsonObject | undefined {
  let table: JsonObject = config;
  for (const key of keys) {
    const inner = table[key];
    if (inner === undefined) return undefined;
    if (!isObject(inner)) throw new BrokenFileError(`"${keys.join('.')}" must be an object.`);
    table = inner;
  }
  return table;
}

/** A server of that name would have a type. */
function isTableOfServers(table: JsonObject | undefined): boolean {
  return table !== undefined && !('type' in table);
}

/** Some clients have a command and its arguments in a single list, and Zed once had both in an object. */
function commandOf({ command, args }: JsonObject): string[] {
  if (isObject(command)) return commandOf({ command: command['path'], args: command['args'] });
  return [command, args].flat().filter((word): word is string => typeof word === 'string');
}

const packageName = /^(.*[\\/])?mcp-server-claude-code(@[^\\/]*|\.cmd|\.ps1)?$/;
const programFile = /[\\/]dist[\\/]claude-code-mcp\.js$/;
/** As an argument of npx, this is a package of others. */
const commandName = /^(.*[\\/])?claude-code-mcp(\.cmd|\.ps1)?$/;

function isOurs(command: readonly string[]): boolean {
  return placeOf(command) !== -1;
}

/** Why the client does not start the server of this entry. Some clients write such a key when a person turns it off. */
export function offSwitchOf({ disabled, enabled }: JsonObject): string | undefined {
  if (disabled === true) return '"disabled" is true';
  return enabled === false ? '"enabled" is false' : undefined;
}

/** The words that start this server, without its own arguments. */
export function programWords(command: readonly string[]): readonly string[] {
  return command.slice(0, endOf(command));
}

/** Whether a command names the package, and not a file of it. */
export function startsPackage(command: readonly string[]): boolean {
  return packageName.test(command[placeOf(command)] ?? '');
}

/** The arguments that a person has given to this server, such as settings. */
export function ownArguments(command: readonly string[]): readonly string[] {
  return command.slice(endOf(command));
}

/** Where the words end that start this server. */
function endOf(command: readonly string[]): number {
  const place = placeOf(command);
  return place === -1 ? command.length : place + 1;
}

function placeOf(command: readonly string[]): number {
  return command.findIndex(
    (word, index) =>
      packageName.test(word) || programFile.test(word) || (index === 0 && commandName.test(word)),
  );
}

/** Files of Windows may begin with a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
