import { editingPrograms } from './auto-allowed-names.js';
import { mayStart, openingWords } from './command-words.js';
import { wordList } from './word-list.js';

export interface EditedWords {
  /** Words of programs that change files, and where output goes. */
  readonly edited: readonly string[];
  /** Words of programs that give a file another path. */
  readonly moved: readonly string[];
}

const movers: ReadonlySet<string> = new Set(
  wordList(`mv cp ln install rsync tar bsdtar unzip cpio ditto move copy ren robocopy xcopy move-item copy-item
    rename-item mi cpi rni`),
);
const editors: ReadonlySet<string> = new Set([...editingPrograms, ...movers, 'tee', 'dd', 'truncate']);

/** They start the program that one of their words names. */
const starters: ReadonlySet<string> = new Set([
  ...openingWords,
  ...wordList('{ } ! xargs find sudo doas git'),
]);
const entering: ReadonlySet<string> = new Set(['cd', 'pushd', 'chdir']);

/**
 * The words of a line that name what it edits or moves, where other words name what it reads or runs:
 * `cp a b && node_modules/.bin/jest` runs a program, and `cp a node_modules/.bin/jest` changes it.
 */
export function editedWords(line: string): EditedWords {
  const read = readSentences(line);
  const sentences = read?.sentences ?? [line.replaceAll(/["'\\]/g, '').split(/[\s;|&<>()`]+/)];
  const wordsOf = (programs: ReadonlySet<string>): readonly string[] => {
    const starts = (words: readonly string[]): boolean =>
      read === undefined ? mayStart(line, programs) : startsOne(words, programs);
    const found = sentences.filter(starts);
    const entered = found.length === 0 ? [] : sentences.filter(([first = '']) => entering.has(first));
    return found.length === 0 ? [] : ['.', ...[...found, ...entered].flat()];
  };
  return { edited: [...wordsOf(editors), ...(read?.outputs ?? [])], moved: wordsOf(movers) };
}

function startsOne(words: readonly string[], programs: ReadonlySet<string>): boolean {
  const [program = '', ...rest] = words.slice(words.findIndex((word) => !/^\w+=/.test(word))).map(nameOf);
  if (program === 'sed') return programs.has(program) && rest.some((word) => /^(?:-[^-]*i|--i)/.test(word));
  return programs.has(program) || (isStarter(program) && rest.some((word) => programs.has(word)));
}

/** Also a variable or a pattern. */
function isStarter(program: string): boolean {
  return starters.has(program) || /[$*?[{]/.test(program);
}

/** `/bin/cp` -> `cp` */
function nameOf(word: string): string {
  return word
    .replace(/^.*[/\\](?=.)/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

interface ReadLine {
  /** The words of each command, without quotes. */
  readonly sentences: readonly (readonly string[])[];
  /** Files into which output goes. */
  readonly outputs: readonly string[];
}

const piece =
  /'(?<single>[^']*)'|"(?<double>[^"\\$`]*)"|\\(?<escaped>[^])|(?<plain>[^\s'"\\;|&()`<>$]+|\$(?![('"]))|(?<output>\d*>[>|&]*)|(?<gap><(?![<(])|[^\S\n]+)|(?<end>[;|&()\n]+)|(?<other>[^])/g;

/** Undefined if quotes, or what they contain, cannot be told from words: substitutions, texts in the line. */
function readSentences(line: string): ReadLine | undefined {
  const sentences: string[][] = [[]];
  const outputs: string[] = [];
  let word: string | undefined;
  let isOutput = false;
  const finish = (): void => {
    if (word === undefined) return;
    (isOutput ? outputs : sentences.at(-1))?.push(word);
    word = undefined;
    isOutput = false;
  };
  for (const { groups = {} } of line.replaceAll('\\\n', '').matchAll(piece)) {
    const { single, double, escaped, plain, output, end, other } = groups;
    const text = single ?? double ?? escaped ?? plain;
    if (other !== undefined) return undefined;
    if (text !== undefined) word = (word ?? '') + text;
    else finish();
    if (output !== undefined) isOutput = true;
    if (end !== undefined) sentences.push([]);
  }
  finish();
  return { sentences: sentences.filter((words) => words.length > 0), outputs };
}
