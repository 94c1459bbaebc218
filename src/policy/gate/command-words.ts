import { autoAllowedPrograms, editingPrograms, isAutoAllowed } from './auto-allowed-names.js';
import { wordList } from './word-list.js';

/** Before a program: Claude Code looks through some of them, and the shell through the others. */
export const openingWords: ReadonlySet<string> = new Set(
  wordList(`time nohup command builtin noglob nice stdbuf timeout env if then else elif while until do for case select
    function coproc repeat`),
);

/** Change what later words mean: variables, options of the shell, the folder. */
export const changingWords: ReadonlySet<string> = new Set(
  wordList(`export declare typeset local readonly set setopt shopt unset unsetopt unalias alias hash enable emulate
    pushd popd chdir eval source . trap exec`),
);

/** A line of the shell, taken apart without regard to its quotes, so that it need not be understood. */
interface TakenApart {
  /** The words after each sign that can begin a command, also in quotes. */
  readonly starts: readonly (readonly string[])[];
  /** Every name in it. */
  readonly names: ReadonlySet<string>;
  /** Whether the program of a command may not be the first word after a sign. */
  readonly isOpen: boolean;
}

function takeApart(line: string): TakenApart {
  const bare = line.replaceAll('\\\n', '').replaceAll(/["'\\]/g, '');
  // In quotes, a value can contain spaces.
  const assignments = bare === line ? /^(?:\w+=[\w./:@,+-]*\s+)+/ : /^$/;
  const starts = bare
    .split(/[;&|(){}!\n`]+/)
    .map((part) => part.trim().replace(assignments, '').split(/\s+/))
    .filter(([first]) => first !== '');
  const isOpen = starts.some(([first = '']) => !/^[\w./@:+-]+$/.test(first) || openingWords.has(first));
  return { starts, names: new Set(bare.split(/[^\w.+[-]+/)), isOpen };
}

/**
 * Whether Claude Code may run a part of this line without asking. It knows programs by their names, so a line without
 * one of these names, in any place where the shell could take it for a program, is asked about.
 */
export function mayRunUnasked(line: string, acceptsEdits: boolean): boolean {
  if (isDisguised(line)) return true;
  const { starts, names, isOpen } = takeApart(line);
  if (starts.some((words) => words[0]?.includes('$') === true || isAutoAllowed(words, acceptsEdits)))
    return true;
  const known = acceptsEdits ? [...autoAllowedPrograms, ...editingPrograms] : autoAllowedPrograms;
  return isOpen && known.some((name) => names.has(name));
}

/** Whether a part of this line may start one of these programs, in any place where the shell could take it for one. */
export function mayStart(line: string, programs: ReadonlySet<string>): boolean {
  if (isDisguised(line)) return true;
  const { starts, names, isOpen } = takeApart(line);
  if (starts.some(([first = '']) => programs.has(first.replace(/^.*\//, '').toLowerCase()))) return true;
  return isOpen && [...programs].some((name) => names.has(name));
}

/** Escapes and other characters could spell a name in a way that is not seen here. */
function isDisguised(line: string): boolean {
  return /\$['"]/.test(line) || /[^\n\t\P{C}]|[^\S\n\t ]|[^\p{ASCII}][\\`|]/u.test(line);
}
