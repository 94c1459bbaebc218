import { editingPrograms } from './auto-allowed-names.js';
import { mayStart, openingWords } from './command-words.js';
import { nameOf, readSentences, runners } from './sentences.js';
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
  ...runners,
  ...wordList('{ } ! exec find sudo doas'),
]);
const entering: ReadonlySet<string> = new Set(['cd', 'pushd', 'chdir']);
const naming = /^\w+=|^(?:for|select|export|declare|typeset|local|readonly)$/;

/**
 * The words of a line that name what it edits or moves, where other words name what it reads or runs:
 * `cp a b && node_modules/.bin/jest` runs a program, and `cp a node_modules/.bin/jest` changes it.
 */
export function editedWords(line: string): EditedWords {
  const { sentences, outputs } = readSentences(line) ?? { sentences: undefined, outputs: outputsIn(line) };
  const words = sentences?.map(withoutTexts).map(withoutExcluded);
  const wordsOf = (programs: ReadonlySet<string>): readonly string[] =>
    words === undefined ? wordsOfUnread(line, programs) : wordsOfRead(words, programs);
  return { edited: [...wordsOf(editors), ...outputs], moved: wordsOf(movers) };
}

type Sentence = readonly string[];

function wordsOfRead(sentences: readonly Sentence[], programs: ReadonlySet<string>): Sentence {
  const found = sentences.filter((words) => startsOne(words, programs));
  if (found.length === 0) return [];
  const hasVariable = found.flat().some((word) => word.includes('$'));
  const around = sentences.filter(
    ([first = '']) => entering.has(first) || (hasVariable && naming.test(first)),
  );
  return ['.', ...[...found, ...around].flat()];
}

/** Before a text that they run. */
const runnerWords = new RegExp(String.raw`\b(?:${[...runners].join('|')})(?:\s+-\S+)*\s(?!["']?\$)`, 'g');

function wordsOfUnread(line: string, programs: ReadonlySet<string>): Sentence {
  return mayStart(line.replaceAll(runnerWords, ';'), programs)
    ? ['.', ...line.replaceAll(/["'\\]/g, '').split(/[\s;|&<>()`]+/)]
    : [];
}

function outputsIn(line: string): readonly string[] {
  const [, ...ends] = line.replaceAll(/["'\\]/g, '').split('>');
  return ends.flatMap((end) => end.replace(/^[|&\s]+/, '').split(/[\s;|&<()`]/, 1));
}

/** A text that another program runs has words of its own: `bash -c 'mv a b'`. */
function withoutTexts(words: Sentence): Sentence {
  const isRun = words.some((word) => runners.has(nameOf(word)));
  return isRun ? words.flatMap((word) => word.split(/[\s;|&<>()]+/)) : words;
}

const excluding: ReadonlySet<string> = new Set(['rsync', 'tar', 'bsdtar']);

/** What a copy leaves out does not get another path. */
function withoutExcluded(words: Sentence): Sentence {
  if (!excluding.has(nameOf(words[0] ?? '')) || words.includes('--')) return words;
  return words.filter(
    (word, index) =>
      !/^--exclude(?:-from)?(?:=|$)/.test(word) && !/^--exclude(?:-from)?$/.test(words[index - 1] ?? ''),
  );
}

function startsOne(words: Sentence, programs: ReadonlySet<string>): boolean {
  const [program = '', ...rest] = words.slice(words.findIndex((word) => !/^\w+=/.test(word))).map(nameOf);
  if (program === 'git') return programs.has(subcommandOf(rest));
  if (program === 'sed') return programs.has(program) && rest.some((word) => /^(?:-[^-]*i|--i)/.test(word));
  if (program === 'find' && !rest.some((word) => /^-(?:exec|ok)/.test(word))) return false;
  return programs.has(program) || (isStarter(program) && rest.some((word) => programs.has(word)));
}

/** Of git: its other words are messages, and names of files and branches. */
function subcommandOf(words: Sentence): string {
  const isValue = (index: number): boolean =>
    /^(?:-c|--(?:git-dir|work-tree|namespace))$/.test(words[index - 1] ?? '');
  return words.find((word, index) => !word.startsWith('-') && !isValue(index)) ?? '';
}

/** Also a variable or a pattern. */
function isStarter(program: string): boolean {
  return starters.has(program) || /[$*?[{]/.test(program);
}
