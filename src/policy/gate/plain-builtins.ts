import type { Word } from './shell-commands.js';

/** The shell computes these, and a number can be the name of a list with a command in brackets: `a[$(touch x)]`. */
const numeric = /^-(?:eq|ne|lt|le|gt|ge)$/;
const comparing = /^(?:==?|!=)$/;
const comparingFiles = /^-(?:nt|ot|ef)$/;
/** Not `-v`, which computes the name of a variable, nor those that check an option or a stream. */
const checkingFiles = /^-[bcdefghkprsuwxLSOGN]$/;
const checkingText = /^-[nz]$/;

const closings: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['[[', ']]'],
]);

/**
 * The files that `test`, `[` or `[[` checks; undefined unless it is a single check of a known kind: in others, a word
 * can be a sign, or the other way around.
 */
export function operandsOfTest(program: string, all: readonly Word[]): readonly Word[] | undefined {
  const closing = closings.get(program);
  if (closing !== undefined && all.at(-1)?.text !== closing) return undefined;
  const closed = closing === undefined ? all : all.slice(0, -1);
  const [first, second, third, ...more] = isSign(closed[0], /^!$/) ? closed.slice(1) : closed;
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  if (third === undefined) return checked(first, second);
  // Here, a pattern stands for texts, not for files.
  const isText = program === '[[' && isSign(second, comparing);
  return compared(first, second, isText ? { ...third, isPattern: false } : third);
}

function checked(sign: Word, value: Word): readonly Word[] | undefined {
  if (isSeveral(value)) return undefined;
  if (isSign(sign, checkingText)) return [];
  return isSign(sign, checkingFiles) ? [value].filter(isFixed) : undefined;
}

function compared(left: Word, sign: Word, right: Word): readonly Word[] | undefined {
  if (isSeveral(left) || isSeveral(right)) return undefined;
  if (isSign(sign, comparing)) return [];
  if (isSign(sign, comparingFiles)) return [left, right].filter(isFixed);
  return isSign(sign, numeric) && isNumber(left) && isNumber(right) ? [] : undefined;
}

function isSeveral({ isSplit, isPattern }: Word): boolean {
  return isSplit || isPattern;
}

/** It looks at files without reading them, so a computed name shows little. */
function isFixed(word: Word): boolean {
  return word.isFixed;
}

function isSign(word: Word | undefined, signs: RegExp): boolean {
  return word?.isFixed === true && signs.test(word.text);
}

function isNumber(word: Word): boolean {
  return word.isFixed && /^-?\d+$/.test(word.text);
}

const texts = /^(?:[^%]|%%|%-?\d*(?:\.\d+)?[sb])*$/;
const numbers = /^(?:[^%]|%%|%[-+ 0]?\d*(?:\.\d+)?[sbdiuxXof])*$/;

/**
 * Whether `printf` only prints. `-v` and `%n` set a variable, and some shells compute the value of a number as they
 * compute those of `[[`.
 */
export function isPlainPrintf([format, ...values]: readonly Word[]): boolean {
  if (format?.isFixed !== true || format.isPattern || format.text.startsWith('-')) return false;
  if (texts.test(format.text)) return true;
  return numbers.test(format.text) && values.every(isNumber);
}
