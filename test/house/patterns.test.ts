import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

/*
 * Agents, callers and repositories choose what most expressions are matched against, and one that backtracks stops the
 * whole service. Each is matched against long texts of its own characters: the time may grow as the text does, no faster.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Pattern {
  readonly place: string;
  readonly expression: RegExp;
}

const patterns = ['src', 'web'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => patternsIn(`${folder}/${name.replaceAll('\\', '/')}`)),
);

it('no expression takes much longer than its text is long', () => {
  const slow = patterns.flatMap(({ place, expression }) => {
    const text = textThatSlows(expression);
    return text === undefined ? [] : [`${place} ${String(expression)} on ${text}`];
  });

  expect(patterns.length).toBeGreaterThan(300);
  expect(slow).toEqual([]);
}, 120_000);

it.each([/-?\d[\d.]*$/, /\s*,/, /^(?:a+)+$/, /^name:[ \t]*([\w ]+)[ \t]*#$/m])(
  'an expression that does is found: %s',
  (expression) => {
    expect(textThatSlows(expression)).toBeDefined();
  },
);

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ place: `${file}:${line}`, expression: new RegExp(pattern, flags) });
    },
  }).visit(parseSync(file, text).program);
  return found;
}

const anyRepetition = /[*+]|\{\d+,\d*\}/;
const commonCharacters = ['a', '1', ' ', '\n', ...Array.from('/-.=:_!"\\(*[{#@,%')];
const endings = ['', '!', '\u0001', '\n!', ' !', 'x'];

/** A description of the first text on which the time grows faster than the length. */
function textThatSlows({ source, flags }: RegExp): string | undefined {
  if (!anyRepetition.test(source)) return undefined;
  const global = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const own = source.replaceAll(/\\[a-zA-Z]/g, '').match(/[\x20-\x7e]/g) ?? [];
  const words = [...new Set(source.match(/[a-zA-Z:]{2,}/g))].slice(0, 6);
  const beginnings = ['', ...words, ...words.map((word) => `${word} a`), '---\n', '#!', '/', '"'];
  for (const beginning of beginnings)
    for (const unit of new Set([...commonCharacters, ...own, ...words]))
      for (const ending of endings) {
        const textOf = (length: number): string =>
          beginning + unit.repeat(Math.ceil(length / unit.length)) + ending;
        if (isSlow(global, textOf)) return JSON.stringify({ beginning, unit, ending });
      }
  return undefined;
}

/** Short ones first: the time for nested repetitions doubles with each character. */
const shortLengths = [20, 26, 50, 200, 700];
/** A text of the first length takes some microseconds, or some milliseconds. */
const longLengths = [6_000, 12_000, 24_000, 48_000, 96_000];
const suspectMs = 0.5;
const slowMs = 40;

function isSlow(expression: RegExp, textOf: (length: number) => string): boolean {
  const timeFor = (length: number): number => leastTime(expression, textOf(length));
  if (shortLengths.some((length) => timeFor(length) > slowMs)) return true;
  if (timeFor(longLengths[0] ?? 0) < suspectMs) return false;
  const length = longLengths.find((one) => timeFor(one) > slowMs);
  return length !== undefined && timeFor(length) > 3 * timeFor(length / 2);
}

/** In milliseconds of this process, so that others on the machine do not count. A long time is measured again. */
function leastTime(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && least > suspectMs; time += 1) {
    const start = process.cpuUsage();
    text.replace(expression, '');
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
