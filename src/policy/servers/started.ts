import { isAbsolute } from 'node:path';
import type { ServerCommand, StartableServers, WithheldServer } from '../../core/options/index.js';
import { isInside } from '../../core/paths.js';
import { isHarmlessEnvironment } from './environment.js';
import { isInterpreter, isLauncher } from './launchers.js';

/** A file that a command names by its absolute path. */
export interface NamedFile {
  readonly path: string;
  /** Without links; empty if they cannot be followed. */
  readonly real: string;
  /** The line after `#!` of a script. */
  readonly interpreter?: string;
}

/** A server of the user that starts a program, in the folder of the session. */
export interface StartedServer {
  readonly name: string;
  readonly command: ServerCommand;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly NamedFile[];
  /** Values of its options and variables that are names of files or packages in the folder. */
  readonly inFolder?: readonly string[];
}

/** Programs that a list of the user or an administrator lets servers start; names count if it lists no commands. */
export interface ServerList {
  readonly names: readonly string[];
  readonly commands: readonly (readonly string[])[];
}

export interface Surroundings {
  /** The folders whose files must not run. */
  readonly folders: readonly string[];
  /** The servers of the caller and of its agents, by their names. */
  readonly ofCaller: readonly Readonly<Record<string, unknown>>[];
  readonly list: ServerList | undefined;
}

interface Decision {
  readonly withheld: readonly WithheldServer[];
  readonly startable: StartableServers;
}

/**
 * Decides which servers of the user start in an untrusted folder. `npx x` runs `node_modules/.bin/x` of the folder, and
 * `python -m x` its `x.py`, however they are spelled, so every server is withheld unless its command shows that it runs
 * other files.
 */
export function judgeServers(
  servers: readonly StartedServer[],
  { folders, ofCaller, list }: Surroundings,
): Decision {
  const isWithheld = (server: StartedServer): boolean => !isIndependent(server, folders);
  return {
    withheld: servers.filter(isWithheld).map(({ name, command }) => {
      // By name, the server of a trusted caller would not start either.
      const isNamed = /^[\w-]+$/.test(name) && !ofCaller.some((brought) => Object.hasOwn(brought, name));
      return { name, entry: isNamed ? { serverName: name } : { serverCommand: command } };
    }),
    startable: {
      commands: [
        ...servers
          .filter((server) => !isWithheld(server) && isListed(server, list))
          .map(({ command }) => command),
        ...ofCaller.flatMap((brought) => Object.values(brought).flatMap(commandOf)),
      ],
      isListed: list !== undefined,
    },
  };
}

function isListed({ name, command }: StartedServer, list: ServerList | undefined): boolean {
  if (list === undefined) return true;
  if (list.commands.length === 0) return list.names.includes(name);
  return list.commands.some(
    (listed) => listed.length === command.length && listed.every((word, index) => word === command[index]),
  );
}

function commandOf(server: unknown): ServerCommand[] {
  if (typeof server !== 'object' || server === null || !('command' in server)) return [];
  const { command, args = [] } = server as { command: string; args?: readonly string[] };
  return [[command, ...args]];
}

/** The longest path on Linux. */
const maxWordChars = 4_096;

/** Whether the command certainly runs no file of these folders. */
export function isIndependent(
  { command, env, files, inFolder = [] }: Omit<StartedServer, 'name'>,
  folders: readonly string[],
): boolean {
  const isElsewhere = (path: string): boolean =>
    isAbsolute(path) && !folders.some((folder) => isInside(path, folder));
  /** Neither a program of the folder nor one that would run programs of the folder. */
  const isHarmlessFile = (path: string): boolean => {
    const { real = path, interpreter } = files.find((file) => file.path === path) ?? {};
    return (
      [path, real].every((name) => isElsewhere(name) && !isLauncher(name)) &&
      (interpreter === undefined || isHarmlessInterpreter(interpreter, isElsewhere))
    );
  };
  const [program, ...args] = command;
  // Claude Code replaces variables in commands. No path is as long as some words are.
  if (command.some((word) => word.length > maxWordChars || word.includes('${'))) return false;
  if (!isHarmlessFile(program)) return false;
  const isNamed = (value: string): boolean =>
    isAbsolute(value) ? !isElsewhere(value) : inFolder.includes(value);
  if (!isHarmlessEnvironment(env, isElsewhere, isNamed)) return false;
  const isArgument = (word: string): boolean =>
    isPlain(word) || isHarmlessOption(word, isHarmlessFile, isNamed);
  const found = files.find(({ path }) => path === program);
  if (isInterpreter(program) || isInterpreter(found?.real ?? '')) {
    const [script, ...rest] = args;
    return script !== undefined && isHarmlessFile(script) && rest.every(isArgument);
  }
  // A program without a first line can be anything: one that Bun has compiled runs what a file of the folder names.
  return found?.interpreter !== undefined && args.every(isArgument);
}

/** Words that name neither a file nor a program that someone would run. */
function isPlain(word: string): boolean {
  return /^(?:stdio|true|false|\d+|https?:\/\/[^\s]+)$/.test(word);
}

/** `--name`, `--name=value`, or an absolute path. Another word may be the name of a program or a file of the folder. */
function isHarmlessOption(
  word: string,
  isHarmlessFile: (path: string) => boolean,
  isNamed: (value: string) => boolean,
): boolean {
  const [, value] = /^--?\w[\w-]*(?:=(.*))?$/s.exec(word) ?? [undefined, word];
  if (value === undefined || isPlain(value)) return true;
  if (isAbsolute(value)) return isHarmlessFile(value);
  return value !== word && !/[\\/]|^[.~]/.test(value) && !isLauncher(value) && !isNamed(value);
}

/** Options of interpreters that load nothing. */
const harmlessFlags = /^(?:-[EsSIuBOW]+|--no-warnings|--no-deprecation|--enable-source-maps)$/;

/** Judges the line after `#!`. With `env`, the PATH decides, which has no entry in these folders. */
function isHarmlessInterpreter(line: string, isElsewhere: (path: string) => boolean): boolean {
  const [program = '', ...words] = line.trim().split(/\s+/);
  const isFromPath = /[\\/]env$/.test(program);
  const [name = '', ...flags] = isFromPath ? words.filter((word) => word !== '-S') : [program, ...words];
  const isFound = isFromPath ? !/[\\/=]/.test(name) : true;
  return (
    isElsewhere(program) && isFound && isInterpreter(name) && flags.every((flag) => harmlessFlags.test(flag))
  );
}
