import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { LinkWalk, realPathOfNearest } from '../../files/real-path.js';
import type { JudgedCommand, Target } from '../../policy/gate/call.js';
import { readCommand } from '../../policy/gate/command-reading.js';
import { mayReadInPowershell } from '../../policy/gate/powershell.js';
import { patternTargets, type Surroundings } from './real-targets.js';

/** What a command does; undefined for any other call. */
export function judgedCommandOf(
  { toolName, input, permissionMode, cwd }: ToolCall,
  rules: readonly string[],
  surroundings: Surroundings,
): JudgedCommand | undefined {
  const { command } = input;
  if (typeof command !== 'string') return undefined;
  const matches = patternTargets(command, { cwd: cwd ?? surroundings.cwd, home: surroundings.home });
  if (toolName === 'PowerShell')
    return { matches, isReadOnly: false, reads: mayReadInPowershell(command) ? undefined : [] };
  if (toolName !== 'Bash' && toolName !== 'Monitor') return undefined;
  const acceptsEdits = permissionMode === 'acceptEdits';
  const { isReadOnly, paths, moved } = readCommand(command, { acceptsEdits, rules });
  const start = realPathOfNearest(cwd ?? surroundings.cwd);
  const isCertain = paths !== undefined && moved.every((path) => isPlainFile(resolve(start, path)));
  return { matches, isReadOnly, reads: isCertain ? targetsOf(paths, start) : undefined };
}

/**
 * Whether moving this changes nothing about where paths lead. A relative link leads elsewhere from another place, where
 * a command that was judged before may still open it.
 */
function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() !== false;
  } catch {
    return false;
  }
}

/** The files and folders that a command reads, without links; undefined if that is not certain. */
function targetsOf(paths: readonly string[], cwd: string): readonly Target[] | undefined {
  const walk = new LinkWalk();
  const names = new Set(paths.map((path) => resolve(cwd, path)));
  const targets = [...names].map((named) => ({ named, real: walk.resolve(named) }));
  // Another part of the command, or a command beside it, may change where such a link leads.
  return walk.isExhausted || walk.hasTurned ? undefined : targets;
}
