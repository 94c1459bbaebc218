import { isAutoAllowed } from './auto-allowed-names.js';
import { changingWords, mayRunUnasked, openingWords } from './command-words.js';
import { editingCalls, plainCalls, type PlainCall } from './plain-calls.js';
import { simpleSentences } from './simple-sentences.js';

export interface CommandReading {
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReadOnly: boolean;
  /** What auto-allowed programs read, as they name it; undefined if unknown. */
  readonly paths: readonly string[] | undefined;
  /** What they move or copy. */
  readonly moved: readonly string[];
}

export interface ReadingContext {
  /** Whether Claude Code also runs commands that edit files. */
  readonly acceptsEdits?: boolean;
  /** Rules that let commands run. */
  readonly rules?: readonly string[];
}

/**
 * Reads a command of the shell as Claude Code would run it. Only plain sentences are understood; of any other, the names
 * in it show whether Claude Code asks about it.
 */
export function readCommand(line: string, context: ReadingContext = {}): CommandReading {
  const { acceptsEdits = false, rules = [] } = context;
  const asked: CommandReading = { isReadOnly: false, paths: [], moved: [] };
  const unknown: CommandReading = { ...asked, paths: undefined };
  if (rules.some((rule) => rule === `Bash(${line})` || rule === `Monitor(${line})`)) return asked;
  const sentences = simpleSentences(line);
  if (sentences === undefined) return mayRunUnasked(line, acceptsEdits) ? unknown : asked;
  const parts = sentences.map((words) => partOf(words, context));
  const known = parts.filter((part) => part !== undefined);
  const isChanged = sentences.some(([program = '']) => changingWords.has(program));
  if (known.length < parts.length || followsMove(known)) return unknown;
  if (isChanged && known.some((part) => part !== 'asked')) return unknown;
  return {
    isReadOnly: known.every((part) => part !== 'asked' && part.isReader),
    paths: known.flatMap((part) => (part === 'asked' ? [] : part.paths)),
    moved: known.flatMap((part) => (part === 'asked' ? [] : part.moved)),
  };
}

interface Part {
  readonly paths: readonly string[];
  readonly isReader: boolean;
  readonly isMove: boolean;
  readonly moved: readonly string[];
}

/** What one command reads; `asked` if Claude Code asks about it or a rule allows it; undefined if unknown. */
function partOf(words: readonly string[], context: ReadingContext): Part | 'asked' | undefined {
  const { acceptsEdits = false, rules = [] } = context;
  const [program = ''] = words;
  if (openingWords.has(program)) return undefined;
  if (rules.some((rule) => covers(rule, words.join(' ')))) return 'asked';
  const calls = acceptsEdits ? new Map([...plainCalls, ...editingCalls]) : plainCalls;
  const call = calls.get(program);
  if (call === undefined) return isAutoAllowed(words, acceptsEdits) ? undefined : 'asked';
  const { isReader, isMove = false } = call;
  const operands = plainOperandsOf(call, words.slice(1));
  if (operands === undefined) return undefined;
  // The pattern of grep counts as well: if an option had another meaning, it would be a file.
  const paths = call.operands === 'text' ? [] : operands.filter((word) => word !== '/dev/null');
  // The last is the place to which the others go.
  return { paths: ['.', ...paths], isReader, isMove, moved: isMove ? operands.slice(0, -1) : [] };
}

function plainOperandsOf(call: PlainCall, words: readonly string[]): readonly string[] | undefined {
  const operands = operandsOf(call, words);
  if (call.operands === 'none' && operands?.length !== 0) return undefined;
  return operands?.every((word) => !word.startsWith('-') && !leavesLinks(word)) === true
    ? operands
    : undefined;
}

/** The words after the options. Undefined if an option is unknown, or if several options have a value. */
function operandsOf(call: PlainCall, words: readonly string[]): readonly string[] | undefined {
  let values = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) return words.slice(index);
    if (word === '--') return words.slice(index + 1);
    const kind = kindOf(call, word);
    if (kind === undefined) return undefined;
    if (kind === 'flag') continue;
    values += 1;
    if (kind === 'valued') index += 1;
    if (values > 1 || (kind === 'valued' && !isNumber(words[index] ?? ''))) return undefined;
  }
  return [];
}

function kindOf(
  { flags = '', numbers = '', takesNumber = false }: PlainCall,
  word: string,
): 'flag' | 'valued' | 'number' | undefined {
  const letters = word.slice(1);
  if (takesNumber && isNumber(letters)) return 'number';
  if (letters.length === 1 && numbers.includes(letters)) return 'valued';
  const isKnown = letters !== '' && letters.split('').every((letter) => flags.includes(letter));
  return isKnown ? 'flag' : undefined;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** A relative link that is moved or copied can point elsewhere, which is unknown before the command runs. */
function followsMove(parts: readonly (Part | 'asked')[]): boolean {
  const first = parts.findIndex((part) => part !== 'asked' && part.isMove);
  return first !== -1 && parts.slice(first + 1).some((part) => part !== 'asked');
}

/** Behind a link, `..` is the parent of what the link leads to. */
function leavesLinks(path: string): boolean {
  return /^\/.*\/\.\.(?:\/|$)|(?:^|\/)(?!\.\.?\/)[^/]+\/(?:.*\/)?\.\.(?:\/|$)/.test(path);
}

/** Whether a rule for commands lets this one run: `Bash(git log *)`, `Bash(ls:*)`, `Bash(pwd)`. */
function covers(rule: string, sentence: string): boolean {
  const [, words] = /^(?:Bash|Monitor)\((.+)\)$/s.exec(rule) ?? [];
  if (words === undefined) return false;
  const [, start] = /^([^*]+?)(?: \*|:\*)$/s.exec(words) ?? [];
  return start === undefined ? words === sentence : sentence === start || sentence.startsWith(`${start} `);
}
