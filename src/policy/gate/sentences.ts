import { wordList } from './word-list.js';

export interface ReadLine {
  /** The words of each command, without quotes. */
  readonly sentences: readonly (readonly string[])[];
  /** Files into which output goes. */
  readonly outputs: readonly string[];
}

/** `/bin/cp` -> `cp` */
export function nameOf(word: string): string {
  return word
    .replace(/^.*[/\\](?=.)/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

/** They run words that they read, or are given as one text. */
export const runners: ReadonlySet<string> = new Set(wordList('sh bash zsh dash ksh eval trap xargs'));

/** What these programs read is no command. */
const textReaders: ReadonlySet<string> = new Set(['cat', 'tee', 'git', 'gh']);

const piece =
  /"\$\(cat <<'(?<mark>\w+)'\n(?<message>(?:(?!\k<mark>\n)[^\n]*\n)*)\k<mark>\n\s*\)"|'(?<single>[^']*)'|"(?<double>[^"\\$`]*)"|\\\n|\\(?<escaped>[^])|(?<plain>[^\s'"\\;|&()`<>$]+|\$(?![('"]))|(?<output>\d*>[>|&]*)|(?<text><<-?[ \t]*(?:'\w+'|"\w+"|\w+)(?![^ \t\n;|&>]))|(?<gap><(?![<(\\#])|[^\S\n]+)|(?<line>\n)|(?<end>[;|&()]+)|(?<other>[^])/g;

/** Undefined if quotes, or what they contain, cannot be told from words, as with most substitutions. */
export function readSentences(line: string): ReadLine | undefined {
  const reader = new SentenceReader(line);
  const pieces = new RegExp(piece);
  for (let found = pieces.exec(line); found !== null; found = pieces.exec(line)) {
    const next = reader.take(found, pieces.lastIndex);
    if (next === undefined) return undefined;
    pieces.lastIndex = next;
  }
  return reader.whole();
}

class SentenceReader {
  readonly #line: string;
  readonly #sentences: string[][] = [[]];
  readonly #outputs: string[] = [];
  /** The marks of texts that begin with the next line. */
  #texts: string[] = [];
  #hasText = false;
  #isPiped = false;
  #word: string | undefined;
  #isOutput = false;

  constructor(line: string) {
    this.#line = line;
  }

  /** Where reading continues after a piece; undefined if it is not understood. */
  take({ 0: all, index, groups = {} }: RegExpExecArray, next: number): number | undefined {
    const { plain, output, text, line, end, other } = groups;
    if (other !== undefined) return undefined;
    if (this.#word === undefined && plain?.startsWith('#') === true) return this.#addComment(index);
    const added = wordOf(groups);
    if (added !== undefined) this.#word = (this.#word ?? '') + added;
    else if (all !== '\\\n') this.#finish();
    if (output !== undefined) this.#isOutput = true;
    if (end !== undefined) this.#begin(end);
    if (line !== undefined) return endOfTexts(this.#line, next, this.#nextLine());
    return text === undefined || this.#addText(text) ? next : undefined;
  }

  whole(): ReadLine | undefined {
    this.#finish();
    if (this.#texts.length > 0 || (this.#hasText && this.#runsWords())) return undefined;
    return { sentences: this.#sentences.filter((words) => words.length > 0), outputs: this.#outputs };
  }

  #finish(): void {
    if (this.#word === undefined) return;
    (this.#isOutput ? this.#outputs : this.#sentences.at(-1))?.push(this.#word);
    this.#word = undefined;
    this.#isOutput = false;
  }

  #begin(sign: string): void {
    this.#isPiped ||= this.#texts.length > 0 && sign.includes('|');
    this.#sentences.push([]);
  }

  #runsWords(): boolean {
    return this.#isPiped || this.#sentences.flat().some((word) => runners.has(nameOf(word)));
  }

  #addText(text: string): boolean {
    this.#texts.push(text);
    this.#hasText = true;
    return textReaders.has(nameOf(this.#sentences.at(-1)?.[0] ?? ''));
  }

  /** Some shells read a few of them as commands. Quotes in it never lead out of it. */
  #addComment(start: number): number {
    const next = this.#line.indexOf('\n', start);
    const end = next === -1 ? this.#line.length : next;
    const parts = this.#line
      .slice(start, end)
      .replaceAll(/["'\\]/g, '')
      .split(/[;|&()]+/);
    this.#sentences.push(...parts.map((part) => part.trim().split(/\s+/)), []);
    return end;
  }

  #nextLine(): readonly string[] {
    const texts = this.#texts;
    this.#texts = [];
    this.#sentences.push([]);
    return texts;
  }
}

function wordOf({ message, single, double, escaped, plain }: Record<string, string>): string | undefined {
  return message ?? single ?? double ?? escaped ?? plain;
}

/** Where texts in the line (`<<'EOF'`) end that begin here; undefined if one has no end, or contains a substitution. */
function endOfTexts(line: string, from: number, texts: readonly string[]): number | undefined {
  let start = from;
  for (const text of texts) {
    const mark = text.replaceAll(/[^\w]/g, '');
    const end = new RegExp(`(?<=\\n)${text.startsWith('<<-') ? '\\t*' : ''}${mark}(?=\\n|$)`, 'g');
    end.lastIndex = start;
    const found = end.exec(line);
    if (found === null) return undefined;
    if (!/['"]/.test(text) && /[$`\\]/.test(line.slice(start, found.index))) return undefined;
    start = end.lastIndex;
  }
  return start;
}
