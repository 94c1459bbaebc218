import { isPlainPrintf, operandsOfTest } from './plain-builtins.js';
import type { PlainForm } from './plain-programs.js';
import type { Word } from './shell-commands.js';
import { wordList } from './word-list.js';

type ReadWords = (words: readonly Word[]) => readonly Word[] | undefined;

/** Programs whose words mean something only together. */
const readTogether: ReadonlyMap<string, ReadWords> = new Map<string, ReadWords>([
  ['find', operandsOfFind],
  ['printf', (words) => (isPlainPrintf(words) ? textOf(words) : undefined)],
  ...['test', '[', '[['].map((name): [string, ReadWords] => [name, (words) => operandsOfTest(name, words)]),
]);

/** The words of a program that name what it reads; undefined if any word could do something else. */
export function operandsOf(
  program: string,
  form: PlainForm,
  words: readonly Word[],
): readonly Word[] | undefined {
  const together = readTogether.get(program);
  if (together !== undefined) return together(words);
  if (form.call !== undefined) return isCall(form.call, words) ? [] : undefined;
  if (form.operands === 'echoed') return textOf(words);
  const found = sorted(form, words);
  if (found === undefined) return undefined;
  const { operands } = found;
  switch (form.operands) {
    case 'none':
      return operands.length === 0 ? [] : undefined;
    case 'names':
      return operands.every(isName) ? [] : undefined;
    case 'text':
      return operands.every(({ text }) => form.words?.test(text) !== false) ? textOf(operands) : undefined;
    default:
      return filesOf(program, form, found);
  }
}

function isName({ text, isPattern }: Word): boolean {
  return !isPattern && /^\w[\w.:+-]*$/.test(text);
}

function filesOf(
  program: string,
  form: PlainForm,
  { operands, options }: Sorted,
): readonly Word[] | undefined {
  // GNU programs read further options from the file that follows the sign.
  if (operands.some(({ text }) => text.startsWith('@'))) return undefined;
  if (form.operands !== 'pattern') return operands;
  const isReplaced = options.some(({ name }) => form.patternOptions?.includes(name) === true);
  const [first] = isReplaced ? [] : operands;
  const isScript = program === 'sed' || program === 'jq';
  const scripts = [first?.text, ...options.map(({ value }) => value)].filter((text) => text !== undefined);
  const isPlain = program === 'sed' ? isPlainSed : isPlainJq;
  if (isScript && (first?.isPattern === true || !scripts.every(isPlain))) return undefined;
  return operands.filter((word) => word !== first || word.isPattern);
}

/** Of plain text, only what the shell would replace by the names of files. */
function textOf(words: readonly Word[]): readonly Word[] | undefined {
  return words.some(({ isSplit }) => isSplit) ? undefined : words.filter(({ isPattern }) => isPattern);
}

interface Option {
  readonly name: string;
  readonly value?: string | undefined;
}

interface Sorted {
  readonly operands: readonly Word[];
  readonly options: readonly Option[];
}

/** Sorts words into options and others; undefined if an option is unknown or lacks its value. */
function sorted(form: PlainForm, words: readonly Word[]): Sorted | undefined {
  if (!words.every(({ isFixed }) => isFixed)) return undefined;
  const [before, after] = splitAtSign(words);
  const operands: Word[] = [];
  const options: Option[] = [];
  let waiting: string | undefined;
  for (const word of before) {
    const isOption = word.text.startsWith('-') && word.text !== '-';
    const found = isOption ? optionOf(word, form) : undefined;
    if (isOption ? found === undefined || waiting !== undefined : waiting !== undefined && word.isPattern)
      return undefined;
    if (waiting !== undefined) {
      options.push({ name: waiting, value: word.text });
      waiting = undefined;
    } else if (found?.needsValue === true) waiting = found.name;
    else if (found !== undefined) options.push(found);
    else if (word.text !== '-') operands.push(word);
  }
  return waiting === undefined ? { operands: [...operands, ...after], options } : undefined;
}

/** After `--`, no word is an option. */
function splitAtSign(words: readonly Word[]): readonly [readonly Word[], readonly Word[]] {
  const end = words.findIndex(({ text }) => text === '--');
  return end === -1 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
}

interface FoundOption extends Option {
  /** Whether the value is the next word. */
  readonly needsValue: boolean;
}

function optionOf({ text, isPattern }: Word, form: PlainForm): FoundOption | undefined {
  // A pattern could become other options, but not before the sign.
  if (isPattern && !/^--[\w-]+=/.test(text)) return undefined;
  return text.startsWith('--') ? longOption(text, form) : shortOptions(text, form);
}

function longOption(text: string, { long = [] }: PlainForm): FoundOption | undefined {
  const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (long.includes(`${name}=`)) return { name, value, needsValue: value === undefined };
  const isKnown = long.includes(`${name}?`) || (value === undefined && long.includes(name));
  return isKnown ? { name, needsValue: false } : undefined;
}

/** Of several letters, the last can have a value. */
function shortOptions(text: string, { flags = '', valued = '' }: PlainForm): FoundOption | undefined {
  const letters = text.slice(1);
  for (const [index, name] of letters.split('').entries()) {
    const value = letters.slice(index + 1);
    if (valued.includes(name)) return { name, value: value || undefined, needsValue: value === '' };
    if (!flags.includes(name)) return undefined;
  }
  return { name: letters, needsValue: false };
}

const findTests: ReadonlySet<string> = new Set(
  wordList(`-print -print0 -prune -not -a -and -o -or -empty -ls -depth -xdev
    -mount -executable -readable -writable -true -false -quit -daystart
    ( ) ! ,`),
);
const findTestsWithValue: ReadonlySet<string> = new Set(
  wordList(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype
    -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin
    -perm -user -group -links -inum -lname -ilname -printf -newer`),
);

/** Without -L and -follow it shows links, but does not follow them. */
function operandsOfFind(words: readonly Word[]): readonly Word[] | undefined {
  const operands: Word[] = [];
  let isInTests = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word?.isFixed !== true) return undefined;
    if (findTestsWithValue.has(word.text)) {
      const value = words[index + 1];
      if (value?.isFixed !== true) return undefined;
      // An unquoted pattern becomes the names of files, which are then further words.
      if (value.isPattern || word.text === '-newer') operands.push(value);
      isInTests = true;
      index += 1;
    } else if (findTests.has(word.text)) {
      isInTests = true;
    } else if (!word.text.startsWith('-')) {
      if (isInTests) return undefined;
      operands.push(word);
    } else if (word.text !== '-P') return undefined;
  }
  return operands;
}

function isCall(call: RegExp, words: readonly Word[]): boolean {
  return (
    words.every(({ isFixed, isPattern }) => isFixed && !isPattern) &&
    call.test(words.map(({ text }) => text).join(' '))
  );
}

const address = String.raw`(?:\d+|\$|/[^/\\;{}\n]*/)`;
const addresses = `(?:${address}(?:,${address})?)?`;
const printing = new RegExp(`^${addresses}[pdq=](?:; ?${addresses}[pdq=])*$`);
const replacing = new RegExp(
  `^${addresses}s([/|#,@:])(?:(?!\\1)[^\\\\\\n]|\\\\[^\\n])*\\1(?:(?!\\1)[^\\\\\\n]|\\\\[^\\n])*\\1[gpiI\\d]*$`,
);

/** Scripts with other commands can read, write and run. */
function isPlainSed(script: string): boolean {
  return printing.test(script) || replacing.test(script);
}

/** Filters can read other files as modules, and the environment, also as `$ ENV`. */
function isPlainJq(filter: string): boolean {
  return !/\b(?:import|include|env|input_filename|modulemeta|get_search_list)\b|__/i.test(filter);
}
