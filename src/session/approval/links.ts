import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { isInside } from '../../core/paths.js';
import { LinkWalk } from '../../files/real-path.js';
import type { Target } from '../../policy/gate/call.js';
import { moreLinks } from '../../core/session/inputs.js';
import { linksBelow } from './links-below.js';
import { realTargetsOf, type Surroundings } from './real-targets.js';

/** More folders than a command names that someone wants to be read. */
const mostFolders = 20;

/**
 * Where links take a call, for its approver: the file that a path really is. For a command, where all links in the folders
 * lead that leave them: what a command reaches cannot be read from it. A repository can contain a link `notes.md` to the
 * user's `.bashrc`.
 */
export function leadsTo(
  call: Pick<ToolCall, 'toolName' | 'input' | 'cwd'>,
  surroundings: Surroundings,
  folders: readonly string[],
): readonly string[] {
  const isWithin = (path: string): boolean => folders.some((folder) => isInside(path, folder));
  const isHidden = ({ named, real }: Target): boolean => named !== real && isWithin(named) && !isWithin(real);
  const { command } = call.input;
  const walk = new LinkWalk();
  const { targets: named } = realTargetsOf(call, surroundings, walk);
  if (typeof command !== 'string')
    return unique(named.filter((target) => target.named !== target.real).map(({ real }) => real));
  const direct = named.filter(isHidden);
  const start = call.cwd ?? surroundings.cwd;
  const plain = named.filter((target) => target.named === target.real).map(({ real }) => real);
  const around = [start, ...folders, ...plain.flatMap((path) => [path, dirname(path)])];
  const { links, isComplete } = linksBelow(fewFolders(around.filter(isWithin)), start, walk);
  const others = links
    .filter(isHidden)
    .filter((link) => !direct.some((target) => isInside(target.named, link.named)));
  const { home } = surroundings;
  // Many other links must not push those to the user's own files out of sight.
  const rank = (path: string): number => (isInside(path, home) && existsSync(path) ? 0 : 1);
  const paths = unique([...direct, ...others].map(({ real }) => real)).toSorted((a, b) => rank(a) - rank(b));
  return isComplete ? paths : [...paths, moreLinks];
}

function fewFolders(paths: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const path of new Set(paths)) {
    if (found.length >= mostFolders) break;
    if (isFolder(path)) found.push(path);
  }
  return found;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
