import { describe, expect, it } from 'vitest';
import { diffRows, segments, textOf } from '../../../web/texts/diff-rows.js';

const show = (before: string, after: string): string[] =>
  diffRows(before, after).map(
    (row) =>
      `${row.before ?? ''}|${row.after ?? ''}|${row.kind}|${textOf(row)}${row.lacksNewline ? '$' : ''}`,
  );

describe('a diff', () => {
  it('numbers the lines of both sides', () => {
    expect(show('a\nb\nc\n', 'a\nB\nc\n')).toEqual(['1|1|same|a', '2||del|b', '|2|add|B', '3|3|same|c']);
  });

  it('marks no words of lines that differ in very many', () => {
    const rows = diffRows(`${'a b '.repeat(100)}\n`, `${'b c a '.repeat(80)}\n`);

    expect(rows.map(({ kind, parts }) => [kind, parts.length])).toEqual([
      ['del', 1],
      ['add', 1],
    ]);
  });

  it('marks the changed words of lines that have much in common', () => {
    const [removed, added] = diffRows('const sum = price(item);\n', 'const cents = price(item);\n');

    expect([removed?.parts, added?.parts].map((parts) => parts?.filter((part) => part.isChanged))).toEqual([
      [{ text: 'sum', isChanged: true }],
      [{ text: 'cents', isChanged: true }],
    ]);
  });

  it('shows a newline that is added at the end', () => {
    expect(show('a', 'a\n')).toEqual(['1||del|a$', '|1|add|a']);
  });

  it('of texts with nothing in common replaces all lines', () => {
    const lines = (prefix: string): string =>
      Array.from({ length: 3000 }, (_, line) => `${prefix}${line}\n`).join('');
    const rows = diffRows(lines('a'), lines('b'));

    expect([rows.length, rows.filter(({ kind }) => kind === 'same').length]).toEqual([6000, 0]);
  });

  it('leaves out unchanged lines that are far from a change', () => {
    const before = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
    const rows = diffRows(before, before.replace('line 50', 'LINE 50'));

    expect(segments(rows).map(({ type, rows: part }) => [type, part.length])).toEqual([
      ['gap', 47],
      ['rows', 8],
      ['gap', 46],
    ]);
  });
});
