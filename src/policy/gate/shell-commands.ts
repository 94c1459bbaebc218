import { wordList } from './word-list.js';

/** A word of a command, without its quotes. */
export interface Word {
  readonly text: string;
  /** Whether the shell takes the text as it stands: no variable, substitution or braces. */
  readonly isFixed: boolean;
  /** Whether the shell replaces it by the names of files that match. */
  readonly isPattern: boolean;
  /** Whether every shell takes its unquoted characters as they stand, apart from those of a pattern. */
  readonly isPlain: boolean;
  /** Whether an unquoted part of it is computed, so that it can become several words. */
  readonly isSplit: boolean;
}

/** One program with its words, or a control word of the shell without a program. */
export interface SimpleCommand {
  /** `NAME=value` before the program. */
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  /** Files that the shell opens for reading. */
  readonly inputs: readonly Word[];
  /** Files that the shell opens for writing. */
  readonly outputs: readonly Word[];
  /** Text that the shell passes as input: `<<< word`, and what follows `<< END`. */
  readonly texts: readonly Word[];
  /** What stands between it and the next command. */
  readonly end: string;
}

/** Claude Code asks about longer lines itself. */
const longestLine = 10_000;

/**
 * Every program that a line of the shell starts, including those in substitutions; undefined if the line contains
 * anything that this does not read with certainty.
 */
export function simpleCommandsOf(line: string): readonly SimpleCommand[] | undefined {
  // Other white space and control characters separate words in some shells only.
  if (line.length > longestLine || /[^\n\t\P{C}]|[^\S\n\t ]/u.test(line)) return undefined;
  // In some encodings, the last byte of a character and the sign after it are one character.
  if (/[^\p{ASCII}][\\`]/u.test(line)) return undefined;
  const reader = new LineReader(line);
  try {
    reader.readCommands('');
    return reader.commands;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

const quotedWord: Word = { text: '', isFixed: true, isPattern: false, isPlain: true, isSplit: false };

/** Before another command. */
const openingWords: ReadonlySet<string> = new Set(wordList(`if then else elif while until do ! {`));
const closingWords: ReadonlySet<string> = new Set(['fi', 'done', '}']);
const unreadWords: ReadonlySet<string> = new Set(['case', 'esac', 'select', 'function', 'coproc', 'repeat']);

const operators = ['&&', '||', '|&', ';', '|', '&', '\n', '(', ')'];
const redirection = /^(?:\d*|&)(?:<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\())/;

/** `{name}<file` sets the variable to a number: with PATH, later programs come from a folder of that name. */
const namedRedirection = /^\{[^\s}]*\}[<>]/;
/** Without signs that are special to some shells, or with some of their options. */
const plainCharacters = /^(?:~(?=\/|$))?[\p{L}\p{N}_./,:+@%=*?[\]-]*$/u;

interface HereText {
  /** The texts of its command. */
  readonly texts: Word[];
  readonly end: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

interface OpenCommand {
  readonly assignments: Word[];
  readonly words: Word[];
  readonly inputs: Word[];
  readonly outputs: Word[];
  readonly texts: Word[];
}

class LineReader {
  readonly commands: SimpleCommand[] = [];
  readonly #line: string;
  #at = 0;
  #hereTexts: HereText[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  /** Reads up to the closing character, which is empty for the end of the line. */
  readCommands(closing: string): void {
    let open = emptyCommand();
    let depth = 0;
    for (;;) {
      this.#skipBlanks();
      const operator = this.#operator();
      const isOver = this.#at >= this.#line.length;
      if (isOver || (depth === 0 && closing !== '' && operator === closing)) {
        this.#close(open, '');
        if (depth !== 0 || isOver !== (closing === '') || this.#hereTexts.length > 0) throw new Unreadable();
        this.#at += closing.length;
        return;
      }
      if (operator === '') {
        this.#readPart(open);
      } else {
        depth += this.#readOperator(operator, open);
        if (depth < 0) throw new Unreadable();
        open = emptyCommand();
      }
    }
  }

  #operator(): string {
    if (this.#isRedirection()) return '';
    return operators.find((one) => this.#line.startsWith(one, this.#at)) ?? '';
  }

  /** Ends the open command. Returns by how much it opens or closes brackets. */
  #readOperator(operator: string, open: OpenCommand): number {
    this.#at += operator.length;
    // A function, an array or a pattern of files; the end of a case.
    const isForeign = operator === '(' ? !isEmpty(open) : operator === ';' && this.#line[this.#at] === ';';
    const before = this.#line.charCodeAt(this.#at - operator.length - 1);
    if (isForeign || (operator.startsWith('|') && before > 127)) throw new Unreadable();
    this.#close(open, operator);
    if (operator === '\n') this.#skipHereTexts();
    return operator === '(' ? 1 : operator === ')' ? -1 : 0;
  }

  #readPart(open: OpenCommand): void {
    if (this.#isRedirection()) {
      this.#readRedirection(open);
      return;
    }
    const start = this.#at;
    if (namedRedirection.test(this.#line.slice(start))) throw new Unreadable();
    const word = this.#readWord();
    const written = this.#line.slice(start, this.#at).replaceAll('\\\n', '');
    if (!this.#isControl(written, open)) add(word, open, written);
  }

  /** In quotes or after a redirection, such a word is the name of a program. */
  #isControl(text: string, open: OpenCommand): boolean {
    if (!isEmpty(open)) return false;
    if (unreadWords.has(text)) throw new Unreadable();
    return openingWords.has(text) || closingWords.has(text);
  }

  #close(open: OpenCommand, end: string): void {
    if (isEmpty(open)) this.#markEnd(end);
    else this.commands.push({ ...open, end });
  }

  /** `ls )` and `ls ;` end the same command; a bracket is what matters. */
  #markEnd(end: string): void {
    const last = this.commands.at(-1);
    if (last !== undefined && /[()]/.test(end))
      this.commands.splice(-1, 1, { ...last, end: `${last.end}${end}` });
  }

  #skipBlanks(): void {
    for (;;) {
      const rest = this.#line.slice(this.#at, this.#at + 2);
      if (rest === '\\\n') this.#at += 2;
      else if (/^[ \t]/.test(rest)) this.#at += 1;
      else break;
    }
    if (this.#line[this.#at] !== '#') return;
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }

  #isRedirection(): boolean {
    return redirection.test(this.#line.slice(this.#at, this.#at + 12));
  }

  #readRedirection(open: OpenCommand): void {
    const [sign = ''] = redirection.exec(this.#line.slice(this.#at, this.#at + 12)) ?? [];
    this.#at += sign.length;
    this.#skipBlanks();
    const isQuoted = /^[^\s;|&<>()]*["'\\]/.test(this.#line.slice(this.#at));
    const word = this.#readWord();
    const kind = sign.replace(/^[\d&]*/, '');
    if (kind === '<<' || kind === '<<-') {
      if (!word.isFixed) throw new Unreadable();
      this.#hereTexts.push({ end: word.text, isQuoted, isIndented: kind === '<<-', texts: open.texts });
    } else if (kind === '<<<') open.texts.push(word);
    else if (kind === '<') open.inputs.push(word);
    else if (kind.endsWith('&') && /^(?:\d+|-)$/.test(word.text)) return;
    else if (kind === '<&') throw new Unreadable();
    else {
      open.outputs.push(word);
      if (kind === '<>') open.inputs.push(word);
    }
  }

  #skipHereTexts(): void {
    for (const { end, isQuoted, isIndented, texts } of this.#hereTexts) {
      const lines: string[] = [];
      for (;;) {
        if (this.#at >= this.#line.length) throw new Unreadable();
        const newline = this.#line.indexOf('\n', this.#at);
        const next = newline === -1 ? this.#line.length : newline;
        const line = this.#line.slice(this.#at, next);
        this.#at = Math.min(next + 1, this.#line.length);
        if ((isIndented ? line.replace(/^\t+/, '') : line) === end) break;
        lines.push(line);
      }
      const text = lines.join('\n');
      if (!isQuoted && /[`]|\$[^\w\s]|\\$/m.test(text)) throw new Unreadable();
      texts.push({ ...quotedWord, text, isFixed: isQuoted || !text.includes('$') });
    }
    this.#hereTexts = [];
  }

  #readWord(): Word {
    const start = this.#at;
    const word = { text: '', isFixed: true, isSplit: false };
    let plain = '';
    for (;;) {
      const rest = this.#line.slice(this.#at);
      const [first = ''] = rest;
      if (/^(?:[\s;|&)]|$)/.test(rest) || (/^[<>]/.test(rest) && rest[1] !== '(')) break;
      // After a word, these are redirections or patterns of some shells.
      if (first === '(') throw new Unreadable();
      if (/^["'\\]/.test(first)) this.#readEscaped(word, first);
      else if (first === '$' || first === '`' || /^[<>]\(/.test(rest)) {
        if (this.#readComputed(word)) word.isSplit = true;
      } else {
        plain += first;
        word.text += first;
        this.#at += 1;
      }
    }
    if (this.#at === start) throw new Unreadable();
    return asWord(word, plain, this.#line.slice(start, this.#at));
  }

  /** Reads what a quote or a backslash begins. */
  #readEscaped(word: { text: string; isFixed: boolean }, first: string): void {
    const start = this.#at + 1;
    if (first === '"') {
      this.#at = start;
      this.#readQuoted(word);
      return;
    }
    const end = first === '\\' ? start + 1 : this.#line.indexOf("'", start);
    if (end === -1 || end > this.#line.length) throw new Unreadable();
    const text = this.#line.slice(start, end);
    if (first === "'" || text !== '\n') word.text += text;
    this.#at = first === '\\' ? end : end + 1;
  }

  /** Reads up to the closing quote. */
  #readQuoted(word: { text: string; isFixed: boolean }): void {
    for (;;) {
      const character = this.#line[this.#at];
      if (character === undefined) throw new Unreadable();
      if (character === '"') break;
      if (character === '$' || character === '`') {
        this.#readComputed(word, true);
        continue;
      }
      const isEscape = character === '\\' && /["$`\\\n]/.test(this.#line[this.#at + 1] ?? '');
      const taken = isEscape ? (this.#line[this.#at + 1] ?? '') : character;
      if (!isEscape || taken !== '\n') word.text += taken;
      this.#at += isEscape ? 2 : 1;
    }
    this.#at += 1;
  }

  /**
   * Reads a variable or a substitution, whose programs count too. Returns whether it can be more than a number. Outside
   * of quotes, `$"a"` is a text that the shell translates.
   */
  #readComputed(word: { text: string; isFixed: boolean }, isQuoted = false): boolean {
    const rest = this.#line.slice(this.#at);
    // zsh computes what follows in brackets.
    const number = /^\$[?#$!](?![\w[])/.exec(rest)?.[0];
    if (number !== undefined) {
      word.text += '0';
      this.#at += number.length;
      return false;
    }
    const variable = /^\$(?:\w+|[@*-]|\{\w+\})/.exec(rest)?.[0];
    if (variable !== undefined) this.#at += variable.length;
    else if (/^(?:\$|<|>)\((?!\()/.test(rest)) {
      this.#at += 2;
      const outer = this.#hereTexts;
      this.#hereTexts = [];
      this.readCommands(')');
      this.#hereTexts = outer;
    } else if (/^\$(?:\s|$)/.test(rest) || (isQuoted && rest.startsWith('$"'))) {
      word.text += '$';
      this.#at += 1;
      return false;
    } else if (rest.startsWith('`')) {
      const [quoted = ''] = /^`[^`\\]*`/.exec(rest) ?? [];
      const inner = quoted === '' ? undefined : simpleCommandsOf(quoted.slice(1, -1));
      if (inner === undefined) throw new Unreadable();
      this.commands.push(...inner);
      this.#at += quoted.length;
    } else throw new Unreadable();
    word.isFixed = false;
    return true;
  }
}

function emptyCommand(): OpenCommand {
  return { assignments: [], words: [], inputs: [], outputs: [], texts: [] };
}

function isEmpty({ assignments, words, inputs, outputs, texts }: OpenCommand): boolean {
  return [assignments, words, inputs, outputs, texts].every(({ length }) => length === 0);
}

function add(word: Word, open: OpenCommand, written: string): void {
  const isAssignment = open.words.length === 0 && /^\w+\+?=/.test(written);
  (isAssignment ? open.assignments : open.words).push(word);
}

/** `plain` is what of it is not in quotes. */
function asWord(word: Pick<Word, 'text' | 'isFixed' | 'isSplit'>, plain: string, written: string): Word {
  // In quotes, a tilde is a name like any other. After empty quotes, zsh expands it.
  const isName = /^["'\\]~/.test(written);
  const text = isName ? `./${word.text}` : word.text;
  const isPattern = hasWildcards(plain);
  if (/^(?:==?|!)$/.test(written)) return { ...word, text, isPattern, isPlain: true };
  // Braces make several words, `~name` is the home folder of a user, and `=name` is a program to some shells.
  const isExpanded =
    hasBraces(plain) ||
    /^(?:~[^/]|=)/.test(written) ||
    (/^[~=]/.test(text) && text[0] !== written.replace(/^["'\\]/, '')[0]);
  const found = { ...word, text, isPattern, isPlain: plainCharacters.test(plain) };
  return isExpanded ? { ...found, isFixed: false, isSplit: true } : found;
}

/** Whether braces may make several words of one. In doubt they may: the nesting of braces does not matter here. */
function hasBraces(plain: string): boolean {
  return plain.includes('{') && plain.includes('}') && /,|\.\./.test(plain);
}

function hasWildcards(plain: string): boolean {
  return /[*?]/.test(plain) || (plain.includes('[') && plain.includes(']'));
}
