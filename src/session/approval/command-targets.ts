import { join, resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { someEntriesInSync } from '../../files/folder-names.js';
import { isGarbled, LinkWalk, realPathOfNearest } from '../../files/real-path.js';
import type { JudgedCommand, Target } from '../../policy/gate/call.js';
import { readCommand, type Place } from '../../policy/gate/command-reading.js';
import { mayReadInPowershell } from '../../policy/gate/powershell.js';
import { ownRepository } from './own-repository.js';

/** What a command does; undefined for any other call. */
export function judgedCommandOf(
  { toolName, input, permissionMode, cwd }: ToolCall,
  rules: readonly string[],
  surroundings: { readonly cwd: string },
): JudgedCommand | undefined {
  const { command } = input;
  if (typeof command !== 'string') return undefined;
  if (toolName === 'PowerShell')
    return { isReadOnly: false, reads: mayReadInPowershell(command) ? undefined : [] };
  if (toolName !== 'Bash' && toolName !== 'Monitor') return undefined;
  const acceptsEdits = permissionMode === 'acceptEdits';
  const { isReadOnly, places } = readCommand(command, { acceptsEdits, rules });
  const start = realPathOfNearest(cwd ?? surroundings.cwd);
  return { isReadOnly, reads: places && targetsOfPlaces(places, start) };
}

/** More names than this are not looked up one by one. */
const mostNames = 2_000;

/** The files and folders that a command reads, without links; undefined if that is not certain. */
function targetsOfPlaces(places: readonly Place[], cwd: string): readonly Target[] | undefined {
  const found: string[] = [];
  for (const { path, kind } of places) {
    const named = resolve(cwd, path);
    const paths = kind === 'path' ? [named] : severalPaths(kind, named, cwd);
    if (paths === undefined) return undefined;
    found.push(...paths);
    if (found.length > mostNames) return undefined;
  }
  const walk = new LinkWalk();
  const targets = [...new Set(found)].map((named) => ({ named, real: walk.resolve(named) }));
  return walk.isExhausted ? undefined : targets;
}

/** `behalf` is the folder of the session, whose user must be allowed to list what the command names. */
function severalPaths(
  kind: 'entries' | 'repository',
  named: string,
  behalf: string,
): readonly string[] | undefined {
  if (kind === 'repository') {
    const root = ownRepository(named);
    return root === undefined ? undefined : [root];
  }
  return namesIn(named, behalf)?.map((name) => join(named, name));
}

/** Undefined if there are too many, or some that cannot be looked up. */
function namesIn(folder: string, behalf: string): readonly string[] | undefined {
  try {
    const { entries, isAll } = someEntriesInSync(folder, behalf, mostNames);
    const names = entries.map(({ name }) => name);
    return isAll && !names.some(isGarbled) ? ['', ...names] : undefined;
  } catch (error) {
    // A folder that cannot be listed can still be entered.
    return isNoFolder(error) ? [''] : undefined;
  }
}

function isNoFolder(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
