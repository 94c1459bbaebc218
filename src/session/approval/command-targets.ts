import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { LinkWalk, realPathOfNearest } from '../../files/real-path.js';
import type { JudgedCommand, Target } from '../../policy/gate/call.js';
import { readCommand } from '../../policy/gate/command-reading.js';
import { editedWords } from '../../policy/gate/edited-words.js';
import { mayReadInPowershell } from '../../policy/gate/powershell.js';
import { longestCommand, patternTargets, targetsOfWords, type Surroundings } from './real-targets.js';

/** What a command does; undefined for any other call. */
export function judgedCommandOf(
  { toolName, input, permissionMode, cwd }: ToolCall,
  rules: readonly string[],
  surroundings: Surroundings,
): JudgedCommand | undefined {
  const { command } = input;
  if (typeof command !== 'string') return undefined;
  const changes = namedBy(command, cwd ?? surroundings.cwd, surroundings.home);
  if (toolName === 'PowerShell')
    return { ...changes, isReadOnly: false, reads: mayReadInPowershell(command) ? undefined : [] };
  if (toolName !== 'Bash' && toolName !== 'Monitor') return undefined;
  const acceptsEdits = permissionMode === 'acceptEdits';
  const { isReadOnly, paths, moved } = readCommand(command, { acceptsEdits, rules });
  const start = realPathOfNearest(cwd ?? surroundings.cwd);
  const isCertain = paths !== undefined && moved.every((path) => isPlainFile(resolve(start, path)));
  return { ...changes, isReadOnly, reads: isCertain ? targetsOf(paths, start) : undefined };
}

/** On Windows, a backslash is no escape. */
function namedBy(
  command: string,
  cwd: string,
  home: string,
): Pick<JudgedCommand, 'edits' | 'moves' | 'matches'> {
  // The gate holds a longer one anyway.
  const line = command.slice(0, longestCommand);
  const spellings = new Set([line, line.replaceAll('\\', '/')]);
  const words = [...spellings].map(editedWords);
  const targets = (named: readonly string[]): readonly Target[] | undefined =>
    targetsOfWords(named, cwd, home);
  return {
    edits: targets(words.flatMap(({ edited }) => edited)),
    moves: targets(words.flatMap(({ moved }) => moved)),
    matches: patternTargets(command, { cwd, home }),
  };
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
