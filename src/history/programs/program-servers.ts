import { constants, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { asList, asText, isObject, ownValue } from '../../core/json.js';
import { isInside, withParents } from '../../core/paths.js';
import { readJsonFile } from '../../files/json-file.js';
import { realPathOfNearest, unknownPlace } from '../../files/real-path.js';
import { openRegularFile } from '../../files/regular-file.js';
import type { ClaudeHome } from '../claude-home.js';
import { projectKey } from '../settings/folder-trust.js';
import { managedFiles } from '../settings/permission-rules.js';
import { repositoryRoots } from '../repository-roots.js';
import { readSettings } from '../settings/settings-file.js';

/** A file that a command names by its absolute path. */
interface NamedFile {
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** The line after `#!` of a script. */
  readonly interpreter?: string;
}

/** A server that starts a program. */
export interface ProgramServer {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly NamedFile[];
  /** Values of its options and variables that are names of files or packages in the folder or its repository. */
  readonly inFolder: readonly string[];
}

/**
 * The user's own MCP servers that start programs in this folder: those for all projects, and those for the folder or its
 * repository.
 */
export async function readProgramServers({ stateFile }: ClaudeHome, cwd: string): Promise<ProgramServer[]> {
  const roots = await repositoryRoots(cwd);
  const folders = [...new Set([cwd, ...roots])];
  // Programs look for packages and settings in the folders above, too.
  const above = withParents(cwd).filter((one) => roots.some((root) => isInside(one, root)));
  const places = [...new Set([...above, ...folders])];
  const state = await readJsonFile(stateFile);
  const ofFolders = folders.map((folder) => ownValue(state, 'projects', projectKey(folder)));
  const found = [state, ...ofFolders].flatMap((place) => {
    const servers = ownValue(place, 'mcpServers');
    return isObject(servers)
      ? Object.entries(servers).map((entry) => programIn(entry, stateFile, places))
      : [];
  });
  return (await Promise.all(found)).filter((server) => server !== undefined);
}

async function programIn(
  [name, server]: [string, unknown],
  behalf: string,
  places: readonly string[],
): Promise<ProgramServer | undefined> {
  const program = asText(ownValue(server, 'command'));
  if (program === undefined) return undefined;
  const args = asList(ownValue(server, 'args')).filter((argument) => typeof argument === 'string');
  const variables = Object.entries(ownValue(server, 'env') ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const words = args.map((word) => word.replace(/^--?\w[\w-]*=/, ''));
  const paths = new Set([program, ...words]);
  const values = new Set([...words, ...variables.map(([, value]) => value)]);
  return {
    name,
    command: [program, ...args],
    env: Object.fromEntries(variables),
    inFolder: [...values].filter((value) => places.some((place) => isNameIn(place, value))),
    files: await Promise.all(
      [...paths].filter((path) => isAbsolute(path)).map((path) => namedFile(path, behalf)),
    ),
  };
}

/** What programs add to a name that they look up. */
const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.json', '.yaml', '.yml', '.toml', '.py'];

function isNameIn(folder: string, value: string): boolean {
  if (value === '' || isAbsolute(value)) return false;
  return [folder, join(folder, 'node_modules')].some((place) =>
    endings.some((ending) => isThere(join(place, value + ending))),
  );
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

async function namedFile(path: string, behalf: string): Promise<NamedFile> {
  const interpreter = await interpreterOf(path, behalf);
  const real = realPathOfNearest(path);
  return {
    path,
    real: real === unknownPlace ? '' : real,
    ...(interpreter === undefined ? {} : { interpreter }),
  };
}

/** As much as Linux reads. */
const maxLineBytes = 256;

async function interpreterOf(path: string, behalf: string): Promise<string | undefined> {
  const handle = await openRegularFile(path, constants.O_RDONLY, behalf).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxLineBytes), 0, maxLineBytes, 0);
    const [, line] = /^#!(.*)/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return line?.trim();
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The names and commands of servers that a list permits. */
interface ServerList {
  readonly names: readonly string[];
  readonly commands: readonly (readonly string[])[];
}

/**
 * The servers that the settings of the user and the administrator permit; undefined if they permit all. Claude Code joins
 * all such lists, so a further list must not contain what these leave out.
 */
export async function readServerList(claudeHome: ClaudeHome): Promise<ServerList | undefined> {
  const files = [claudeHome.settingsFile, ...(await managedFiles(claudeHome))];
  const lists = (await Promise.all(files.map((file) => readSettings(file))))
    .map((settings) => ownValue(settings, 'allowedMcpServers'))
    .filter((list) => list !== undefined);
  if (lists.length === 0) return undefined;
  const entries = lists.flatMap(asList);
  return {
    names: entries.map((entry) => asText(ownValue(entry, 'serverName'))).filter((name) => name !== undefined),
    commands: entries
      .map((entry) => ownValue(entry, 'serverCommand'))
      .filter((command) => command !== undefined)
      .map((command) => asList(command).filter((word) => typeof word === 'string')),
  };
}
