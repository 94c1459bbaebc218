import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { entriesInSync } from '../../files/folder-names.js';
import { realPathOfNearest } from '../../files/real-path.js';
import type { JudgedCommand, Target } from '../../policy/gate/call.js';
import { mayMatch } from '../../core/text/wildcards.js';
import { readCommand, type Place } from '../../policy/gate/command-reading.js';
import { mayReadInPowershell } from '../../policy/gate/powershell.js';

/** What a command does; undefined for any other call. */
export function judgedCommandOf(
  { toolName, input, permissionMode, cwd }: ToolCall,
  rules: readonly string[],
  surroundings: { readonly cwd: string; readonly home: string },
): JudgedCommand | undefined {
  const { command } = input;
  if (typeof command !== 'string') return undefined;
  if (toolName === 'PowerShell')
    return { isReadOnly: false, reads: mayReadInPowershell(command) ? undefined : [], mayMove: true };
  if (toolName !== 'Bash' && toolName !== 'Monitor') return undefined;
  const acceptsEdits = permissionMode === 'acceptEdits';
  const { isReadOnly, places, mayMove } = readCommand(command, { acceptsEdits, rules });
  const start = { ...surroundings, cwd: cwd ?? surroundings.cwd };
  return { isReadOnly, reads: places && targetsOfPlaces(places, start), mayMove };
}

/** More names than this are not looked up one by one. */
const mostNames = 2_000;

/** The files and folders that a command reads, without links; undefined if there are too many to be certain. */
function targetsOfPlaces(
  places: readonly Place[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly Target[] | undefined {
  const found: string[] = [];
  for (const { path, from = '.', kind } of places) {
    const start = realPathOfNearest(resolve(cwd, fromHome(from, home)));
    const named = resolve(start, fromHome(path, home));
    const paths = kind === 'path' ? [named] : severalPaths(kind, { start, named, path, behalf: cwd });
    if (paths === undefined) return undefined;
    found.push(...paths);
    if (found.length > mostNames) return undefined;
  }
  return [...new Set(found)].map((named) => ({ named, real: realPathOfNearest(named) }));
}

function fromHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

interface Named {
  readonly start: string;
  readonly named: string;
  /** As the command names it. */
  readonly path: string;
  /** The folder of the session, whose user must be allowed to list what the command names. */
  readonly behalf: string;
}

function severalPaths(
  kind: 'pattern' | 'entries' | 'repository',
  place: Named,
): readonly string[] | undefined {
  const { start, named, behalf } = place;
  if (kind === 'repository') return [repositoryAround(start)];
  if (kind === 'entries') return [named, ...(namesIn(named, behalf) ?? []).map((name) => join(named, name))];
  return matches(place);
}

/** The folder with git's data, or the folder itself outside of a repository. */
function repositoryAround(folder: string): string {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return root;
    if (dirname(root) === root) return folder;
  }
}

/** Every path that the pattern could match, and those below which it looks. */
function matches({ start, named, path, behalf }: Named): readonly string[] | undefined {
  const segments = named.split(sep);
  // In some shells, this follows links, or matches the parent folder.
  if (segments.some((segment) => segment === '***' || mayBeParent(segment))) return undefined;
  const fixed = segments.findIndex(isPattern);
  let folders: readonly string[] = [segments.slice(0, fixed).join(sep) || sep];
  const all: string[] = [...folders];
  for (const segment of segments.slice(fixed)) {
    const next =
      segment === '**'
        ? treesOf(folders, behalf)
        : folders.flatMap((folder) => matchesIn(folder, segment, behalf));
    if (next === undefined) return undefined;
    all.push(...next);
    if (all.length > mostNames) return undefined;
    folders = next;
  }
  // The shell passes such a name as a word, and the program takes it as an option.
  const isFirst = isPattern(path.split('/', 1)[0] ?? '');
  return isFirst && folders.some((found) => /^[-@!(]/.test(relative(start, found))) ? undefined : all;
}

function mayBeParent(segment: string): boolean {
  return segment.startsWith('.') && isPattern(segment) && mayMatch(segment, '..');
}

function matchesIn(folder: string, segment: string, behalf: string): readonly string[] {
  if (!isPattern(segment)) return [join(folder, segment)];
  return (namesIn(folder, behalf) ?? [])
    .filter((name) => mayMatch(segment, name))
    .map((name) => join(folder, name));
}

/** The folders and all that is below them, as some shells read `**`; undefined if there are too many names. */
function treesOf(folders: readonly string[], behalf: string): readonly string[] | undefined {
  const found = [...folders];
  for (const path of found) {
    if (found.length > mostNames) return undefined;
    if (!isLink(path)) found.push(...(namesIn(path, behalf) ?? []).map((name) => join(path, name)));
  }
  return found;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isPattern(segment: string): boolean {
  return /[*?[]/.test(segment);
}

function namesIn(folder: string, behalf: string): readonly string[] | undefined {
  try {
    return entriesInSync(folder, behalf).map(({ name }) => name);
  } catch {
    return undefined;
  }
}
