import { array, assert, nat, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { LineCutter } from '../../../src/backends/shared/lines.js';

function cut(chunks: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const cutter = new LineCutter((line) => lines.push(line));
  for (const chunk of chunks) cutter.push(chunk);
  cutter.end();
  return lines;
}

it('finds the same lines, however the bytes are split', () => {
  const line = string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
  assert(
    property(array(line), array(nat()), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
      const ends = [...cuts.map((at) => at % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));

      expect(cut(chunks)).toEqual(lines);
    }),
  );
});

it('skips empty lines and accepts a last line without a line break', () => {
  expect(cut([Buffer.from('\na\n\nb')])).toEqual(['a', 'b']);
});

it('accepts a line of 10 MB in small pieces', () => {
  const piece = Buffer.alloc(64 * 1024, 'x');

  const [line] = cut([...Array.from({ length: 160 }, () => piece), Buffer.from('\n')]);

  expect(line).toHaveLength(10 * 1024 * 1024);
});

it('drops a line that would exhaust the memory, and continues with the next', () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');

  const lines = cut([...Array.from({ length: 65 }, () => piece), Buffer.from('\nnext\n')]);

  expect(lines).toEqual(['next']);
});
