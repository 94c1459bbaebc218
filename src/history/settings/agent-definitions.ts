import { realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { withParents } from '../../core/paths.js';
import { someEntriesInSync, type SomeEntries } from '../../files/folder-names.js';
import { readHeadSync, type FileHead } from '../../files/regular-file.js';
import type { ClaudeHome } from '../claude-home.js';

/** The subagents that files define, by their names without case, spaces and signs, as Claude Code compares them. */
export interface DefinedAgents {
  /** Whether the definition of each may ask for a git worktree. */
  readonly mayIsolate: ReadonlyMap<string, boolean>;
  /** Whether there is such a definition whose name is not plain. */
  readonly mayOtherIsolate: boolean;
  /** False if a file or folder could not be read, or if there are too many. */
  readonly isComplete: boolean;
}

/** More files and folders than anyone has subagents. */
const mostEntries = 2_000;
/** Far longer than the head of a definition. */
const maxHeadBytes = 65_536;
/** Definitions are read before each call that starts a subagent, and the server does nothing else meanwhile. */
const maxTotalBytes = 8 * 1024 * 1024;

/** Reads the subagents of the user and the machine, and those of a project and the folders above it. */
export function readDefinedAgents(
  { configDir, managedDir }: ClaudeHome,
  project: string | undefined,
): DefinedAgents {
  const places = project === undefined ? [] : withParents(project);
  const folders = [configDir, ...[managedDir, ...places].map((place) => join(place, '.claude'))];
  const files = definitionsIn(folders.map((folder) => join(folder, 'agents')));
  const mayIsolate = new Map<string, boolean>();
  let left = maxTotalBytes;
  let mayOtherIsolate = false;
  let { isComplete } = files;
  for (const path of files.paths) {
    const head = headOf(path, Math.min(left, maxHeadBytes));
    left -= head?.bytes ?? 0;
    const agent = head && agentIn(head);
    if (agent === undefined) isComplete = false;
    else if (agent.key === undefined) mayOtherIsolate ||= agent.mayIsolate;
    else mayIsolate.set(agent.key, agent.mayIsolate || mayIsolate.get(agent.key) === true);
  }
  return { mayIsolate, mayOtherIsolate, isComplete: isComplete && !mayOtherIsolate };
}

/** A name without what Claude Code overlooks in it: it starts the agent `git-bot` for `Git Bot`, too. */
export function agentKey(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The files in these folders and below them. Not all of them if a part could not be read, or if there are too many. */
function definitionsIn(folders: readonly string[]): { paths: readonly string[]; isComplete: boolean } {
  const paths: string[] = [];
  const queue = [...folders];
  const visited = new Set<string>();
  let left = mostEntries;
  let isComplete = true;
  for (const folder of queue) {
    const { entries, isAll } = entriesOf(folder, left, visited);
    left -= entries.length;
    isComplete &&= isAll;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const kind = kindOf(entry, path);
      if (kind === 'unknown') isComplete = false;
      else if (kind === 'folder') queue.push(path);
      else if (entry.name.endsWith('.md')) paths.push(path);
    }
  }
  return { paths, isComplete };
}

/** None for a folder that was visited: a link can lead back to a folder above it. */
function entriesOf(folder: string, most: number, visited: Set<string>): SomeEntries {
  try {
    const real = realpathSync(folder);
    if (visited.has(real)) return { entries: [], isAll: true };
    visited.add(real);
    return most > 0 ? someEntriesInSync(folder, folder, most) : { entries: [], isAll: false };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { entries: [], isAll: code === 'ENOENT' || code === 'ENOTDIR' };
  }
}

/** Claude Code follows links to folders. */
function kindOf(entry: Dirent, path: string): 'folder' | 'file' | 'unknown' {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? 'folder' : 'file';
  } catch {
    return 'unknown';
  }
}

function headOf(path: string, maxBytes: number): FileHead | undefined {
  try {
    return readHeadSync(path, maxBytes);
  } catch {
    return undefined;
  }
}

interface FoundAgent {
  /** Undefined if the name is not plain. */
  readonly key: string | undefined;
  readonly mayIsolate: boolean;
}

/** Undefined if the head has no end. It is not parsed as Claude Code does, so in doubt it asks for a worktree. */
function agentIn({ text, isWhole }: FileHead): FoundAgent | undefined {
  // A text that does not begin in this way defines nothing.
  if (/^\s*(?!---)\S/.test(text)) return { key: undefined, mayIsolate: false };
  const [, , head = isWhole ? text : undefined] = wholeHead.exec(text) ?? [];
  if (head === undefined) return undefined;
  return { key: keyIn(head), mayIsolate: isolating.test(head.replace(description, '$1')) };
}

/** As Claude Code finds it. The lookahead keeps what it has found: a search for the end from each blank line takes long. */
const wholeHead = /^---(?=(\s*\n))\1([^]*?)---/;

/** Undefined unless there is a single name, and in a single line. */
function keyIn(head: string): string | undefined {
  const [[, value = '', more] = [], ...others] = head.matchAll(/^name:(.*)$(\s*\n[ \t])?/gm);
  if (more !== undefined || others.length > 0) return undefined;
  const name = value
    .replace(/[ \t]#.*/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return /^[ \t]/.test(value) && plainName.test(name) ? agentKey(name) : undefined;
}

const plainName = /^[\p{L}\p{N}][\p{L}\p{N} ._:@-]*$/u;

/** Between braces, other keys can follow in the same line. */
const description = /^([^{]*?\n)?description:.*/;

/** The key, or an escape that could spell it. */
const isolating = /isolation|\\[xu]/i;
