import { statSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import { someEntriesInSync } from '../../files/folder-names.js';
import { readRegularFileSync } from '../../files/regular-file.js';
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
/** Far longer than a definition. */
const maxBytes = 1024 * 1024;

/** Reads the subagents of the user and the machine, and those of a project and the folders above it. */
export function readDefinedAgents(
  { configDir, managedDir }: ClaudeHome,
  project: string | undefined,
): DefinedAgents {
  const places = project === undefined ? [] : withParents(project);
  const folders = [configDir, ...[managedDir, ...places].map((place) => join(place, '.claude'))];
  const mayIsolate = new Map<string, boolean>();
  const queue = folders.map((folder) => join(folder, 'agents'));
  let left = mostEntries;
  let mayOtherIsolate = false;
  let isComplete = true;
  for (const folder of queue) {
    const { entries, isAll } = entriesOf(folder, left);
    left -= entries.length;
    isComplete &&= isAll;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (isFolder(entry, path)) {
        queue.push(path);
        continue;
      }
      if (!entry.name.endsWith('.md')) continue;
      const agent = agentIn(path);
      if (agent === undefined) isComplete = false;
      else if (agent.key === undefined) mayOtherIsolate ||= agent.mayIsolate;
      else mayIsolate.set(agent.key, agent.mayIsolate || mayIsolate.get(agent.key) === true);
    }
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

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

interface FoundAgent {
  /** Undefined if the name is not plain. */
  readonly key: string | undefined;
  readonly mayIsolate: boolean;
}

/** Undefined if it cannot be read. The file is not parsed as Claude Code does, so in doubt it asks for a worktree. */
function agentIn(path: string): FoundAgent | undefined {
  try {
    const text = readRegularFileSync(path, maxBytes);
    const [, head = text] = /^---[ \t]*\r?\n(.*?)\n---/s.exec(text) ?? [];
    const names = [...head.matchAll(plainName)].map(([, name = '']) => agentKey(name));
    return {
      key: names.length === 1 ? names[0] : undefined,
      // A text that does not begin in this way defines nothing.
      mayIsolate: /^\s*---/.test(text) && isolating.test(head.replace(description, '')),
    };
  } catch {
    return undefined;
  }
}

const plainName = /^name:[ \t]*["']?([\p{L}\p{N}][\p{L}\p{N} ._:@-]*)["']?[ \t]*(?:#.*)?\r?$/gmu;

const description = /^description:.*$/m;

/** The key, or an escape that could spell it. */
const isolating = /isolation|\\[xu]/i;

function entriesOf(folder: string, most: number): ReturnType<typeof someEntriesInSync> {
  if (most <= 0) return { entries: [], isAll: false };
  try {
    return someEntriesInSync(folder, folder, most);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { entries: [], isAll: code === 'ENOENT' || code === 'ENOTDIR' };
  }
}

/** Claude Code follows links to folders. */
function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
