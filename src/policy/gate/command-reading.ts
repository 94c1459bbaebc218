import { exactCalls, editingForms, type PlainForm } from './plain-programs.js';
import { formOf, autoAllowedPrograms, type FoundForm } from './plain-subcommands.js';
import { operandsOf } from './plain-words.js';
import { simpleCommandsOf, type SimpleCommand, type Word } from './shell-commands.js';
import { wordList } from './word-list.js';

/** What a command reads, from the folder in which it runs. */
export interface Place {
  readonly path: string;
  /** Where the path starts, if the command changes the folder first. */
  readonly from?: string;
  /** One path; all that match a pattern; a path and the entries of a folder; the repository around a folder. */
  readonly kind: 'path' | 'pattern' | 'entries' | 'repository';
}

export interface CommandReading {
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReadOnly: boolean;
  /** Files that auto-allowed programs read; undefined if unknown. */
  readonly places: readonly Place[] | undefined;
  /** Whether later commands may start in another folder. */
  readonly mayMove: boolean;
}

export interface ReadingContext {
  /** Whether Claude Code also runs commands that edit files. */
  readonly acceptsEdits?: boolean;
  /** Rules that let commands run. */
  readonly rules?: readonly string[];
}

/** These start the program that follows; Claude Code looks through them. */
const wrappers: ReadonlyMap<string, RegExp | undefined> = new Map<string, RegExp | undefined>([
  ['time', /^-p$/],
  // It writes a file.
  ['nohup', undefined],
  ['command', /^-p$/],
  ['builtin', /^$/],
  ['noglob', /^$/],
  ['nice', /^-n\d+$|^-\d+$/],
  ['stdbuf', /^-[oe][L0]$/],
  ['timeout', /^\d+(?:\.\d+)?[smhd]?$/],
  ['env', /^(?:LC_ALL|LANG|NO_COLOR|FORCE_COLOR|CI)=[\w.-]*$/],
]);

/** Change what later words mean: variables, options of the shell, the folder. */
const changingBuiltins: ReadonlySet<string> = new Set(
  wordList(`export declare typeset local readonly set setopt shopt unalias pushd popd
    chdir unsetopt hash enable emulate`),
);

const moves: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);
/** Run other lines, or change the folder for what follows. */
const movingPrograms: ReadonlySet<string> = new Set(
  wordList(`eval source . trap builtin command alias enable`),
);

/** Read their input if they name no file. */
const filters: ReadonlySet<string> = new Set(wordList(`cat cut grep head nl sed sort tail tr uniq wc`));

function isRecursive({ text }: Word): boolean {
  return /^-(?:[^-]*r|-recursive)/.test(text);
}

const unreadable: CommandReading = { isReadOnly: false, places: undefined, mayMove: true };

/** Reads a command of the shell as Claude Code would run it. */
export function readCommand(line: string, context: ReadingContext = {}): CommandReading {
  const commands = simpleCommandsOf(line)?.map(unwrapped);
  if (commands === undefined || commands.length === 0) return unreadable;
  const from = folderOf(commands);
  const parts = commands.map((command) => partOf(command, context));
  const read = parts.filter((part) => part !== 'asked');
  const isKnown =
    read.every((part) => part !== undefined) &&
    from !== undefined &&
    (read.length === 0 || !commands.some(changesMeaning)) &&
    !(isSearched(from) && parts.slice(1).some((part) => hasPlaces(part) && !isFilter(part))) &&
    !followsMove(parts);
  return {
    isReadOnly: isKnown && parts.every(isReading) && commands.every(isCertain),
    places: isKnown ? parts.flatMap((part) => placesFrom(part, from)) : undefined,
    mayMove: commands.some(mayMoveWith),
  };
}

function isReading(part: Part | 'asked' | undefined): boolean {
  return part !== 'asked' && part?.isReader === true;
}

/** Whether it writes nothing, and each word is the same in every shell and with every variable. */
function isCertain({ words, inputs, outputs, texts }: SimpleCommand): boolean {
  const isWritten = ({ isFixed, isPlain }: Word): boolean => isFixed && isPlain;
  return (
    [...words, ...inputs, ...outputs, ...texts].every(isWritten) &&
    outputs.every(({ text }) => text === '/dev/null')
  );
}

function placesFrom(part: Part | 'asked' | undefined, from: string): readonly Place[] {
  if (part === 'asked' || part === undefined) return [];
  return from === '' || part.isChange === true
    ? part.places
    : part.places.map((place) => ({ ...place, from }));
}

/** A relative link that is moved or copied can point elsewhere, which is unknown before the command runs. */
function followsMove(parts: readonly (Part | 'asked' | undefined)[]): boolean {
  const first = parts.findIndex((part) => part !== 'asked' && part?.isMove === true);
  return first !== -1 && parts.slice(first + 1).some(hasPlaces);
}

function hasPlaces(part: Part | 'asked' | undefined): boolean {
  return part !== 'asked' && part?.places.length !== 0;
}

function isFilter(part: Part | 'asked' | undefined): boolean {
  return part !== 'asked' && part?.isFilter === true;
}

/** A shell with CDPATH looks for such a folder elsewhere, too. */
function isSearched(folder: string): boolean {
  return folder !== '' && !/^(?:\/|~(?:\/|$)|\.\.?(?:\/|$))/.test(folder);
}

function mayMoveWith({ words }: SimpleCommand): boolean {
  const [program] = words;
  if (program === undefined) return false;
  // In some shells, another command can follow without a sign: `if [[ -d a ]] { cd a }`.
  return !program.isFixed || movingPrograms.has(program.text) || words.some(({ text }) => moves.has(text));
}

function changesMeaning({ words: [program], assignments }: SimpleCommand): boolean {
  if (program !== undefined) return changingBuiltins.has(program.text);
  // In some shells, `path` and its like are lists of folders.
  return assignments.some(({ text }) => !/^[a-z_]+\+?=/.test(text) || /path\+?=/.test(text));
}

/**
 * The folder to which the first command changes; empty if it does not; undefined if unknown, because the change could
 * fail or apply to only some of the other commands.
 */
function folderOf(commands: readonly SimpleCommand[]): string | undefined {
  const [first, ...rest] = commands;
  const isChange = ({ words: [program] }: SimpleCommand): boolean => program?.text === 'cd';
  if (rest.some(isChange)) return undefined;
  if (first === undefined || !isChange(first)) return '';
  const [, folder, ...more] = first.words;
  const isPlain = folder?.isFixed === true && !folder.isPattern && more.length === 0;
  if (!isPlain || folder.text.startsWith('-') || (rest.length > 0 && first.end !== '&&')) return undefined;
  // In brackets, the change would end with them.
  return commands.some(({ end }) => /[()]/.test(end)) ? undefined : folder.text;
}

interface Part {
  readonly places: readonly Place[];
  readonly isReader: boolean;
  /** Whether it changes the folder. */
  readonly isChange?: boolean;
  /** Whether it moves or copies files. */
  readonly isMove?: boolean;
  /** Whether it reads only its input, regardless of the folder. */
  readonly isFilter?: boolean;
}

/** Files that one program reads; undefined if unknown. */
function partOf(command: SimpleCommand, context: ReadingContext): Part | 'asked' | undefined {
  const { words } = command;
  const [program, ...others] = words;
  const inputs = placesOf(command.inputs, 'path');
  // Some shells start a pager for a redirection without a program.
  if (program === undefined) return inputs && { places: inputs, isReader: false };
  if (!program.isFixed || program.isPattern) return undefined;
  if (program.text === 'for') {
    const patterns = placesOf(
      others.filter(({ isPattern }) => isPattern),
      'path',
    );
    return patterns && { places: patterns, isReader: false };
  }
  const line = words.map(({ text }) => text).join(' ');
  if (exactCalls.includes(line)) return { places: [], isReader: false };
  if (context.rules?.some((rule) => coversLine(rule, line)) === true) return 'asked';
  const found = formOf(
    words.map(({ text, isFixed }) => (isFixed ? text : '-')),
    context.acceptsEdits === true ? editingForms : undefined,
  );
  if (found === 'asked') return mayWrapReader(words) ? undefined : 'asked';
  return inputs && readerPart(program.text, command, found, inputs);
}

/** What a program reads about which Claude Code does not ask. */
function readerPart(
  program: string,
  command: SimpleCommand,
  { form, count }: Exclude<FoundForm, 'asked'>,
  inputs: readonly Place[],
): Part | undefined {
  if (form === undefined || command.assignments.some(isRisky)) return undefined;
  const places = readByForm(program, form, command.words.slice(count));
  if (places === undefined) return undefined;
  const isReader = form.isReader && command.assignments.length === 0;
  const part = { places: [...inputs, ...places], isReader };
  return {
    ...part,
    isChange: program === 'cd',
    isMove: /^(?:cp|mv)$/.test(program),
    // Without a file, only the folder itself is left.
    isFilter: filters.has(program) && part.places.length === 1 && !command.words.some(isRecursive),
  };
}

function readByForm(program: string, form: PlainForm, words: readonly Word[]): Place[] | undefined {
  const operands = operandsOf(program, form, words);
  if (operands === undefined) return undefined;
  const isRepository =
    'showsContents' in form &&
    (form.showsContents === true ||
      (form.showsContents instanceof RegExp && words.some(({ text }) => isMatch(form.showsContents, text))));
  const places = placesOf(operands, form.operands === 'entries' ? 'entries' : 'path');
  return (
    places && [
      { path: '.', kind: 'path' },
      ...places,
      ...(isRepository ? [{ path: '.', kind: 'repository' } as const] : []),
    ]
  );
}

function isMatch(pattern: unknown, text: string): boolean {
  return pattern instanceof RegExp && pattern.test(text);
}

function placesOf(words: readonly Word[], kind: 'path' | 'entries'): Place[] | undefined {
  if (!words.every(({ text, isFixed }) => isFixed && !leavesLinks(text))) return undefined;
  return words
    .filter(({ text }) => text !== '/dev/null')
    .map(({ text, isPattern }) => ({ path: text, kind: isPattern ? 'pattern' : kind }));
}

/** Behind a link, `..` is the parent of what the link leads to. */
function leavesLinks(path: string): boolean {
  return /^\/.*\/\.\.(?:\/|$)|(?:^|\/)(?!\.\.?\/)[^/]+\/(?:.*\/)?\.\.(?:\/|$)/.test(path);
}

/** Other variables can name files, programs and options. */
function isRisky({ text, isFixed }: Word): boolean {
  return !isFixed || wrappers.get('env')?.test(text) !== true;
}

/** The program that actually runs. What a wrapper with other options does is not certain: that stays as it is. */
function unwrapped(command: SimpleCommand): SimpleCommand {
  const [first, ...others] = command.words;
  // With a folder in its name, it may be a program of the repository.
  const options = first?.isFixed === true ? wrappers.get(first.text) : undefined;
  const most = first?.text === 'timeout' ? 1 : others.length;
  const start = others.findIndex(
    ({ text, isFixed }, index) => index >= most || !isFixed || options?.test(text) !== true,
  );
  if (options === undefined || start === -1) return command;
  const words = others.slice(start);
  return words[0]?.isFixed === true && /^-|=/.test(words[0].text)
    ? command
    : unwrapped({ ...command, words });
}

/** Whether a wrapper that stayed as it is could start a program about which Claude Code does not ask. */
function mayWrapReader([first, ...others]: readonly Word[]): boolean {
  if (first === undefined || !wrappers.has(first.text.replace(/^.*\//, ''))) return false;
  // `command -v` only looks for programs.
  if (first.text === 'command' && /^-[vV]$/.test(others[0]?.text ?? '')) return false;
  // A word after an option may be its value, or the program.
  const last = others.findIndex(
    ({ text }, index) => !/^-|=|^\d/.test(text) && others[index - 1]?.text.startsWith('-') !== true,
  );
  const candidates = last === -1 ? others : others.slice(0, last + 1);
  return candidates.some(({ text, isFixed }) => !isFixed || autoAllowedPrograms.includes(text));
}

/** Whether a rule for commands lets this one run: `Bash(git log *)`, `Bash(ls:*)`, `Bash(pwd)`. */
function coversLine(rule: string, line: string): boolean {
  const [, words] = /^(?:Bash|Monitor)\((.+)\)$/s.exec(rule) ?? [];
  if (words === undefined) return false;
  const [, start] = /^([^*]+?)(?: \*|:\*)$/s.exec(words) ?? [];
  return start === undefined ? words === line : line === start || line.startsWith(`${start} `);
}
