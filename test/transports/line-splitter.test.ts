import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../src/transports/line-splitter.js';

/** What a splitter with a limit of 20 bytes reports for these chunks. */
function split(chunks: readonly (string | Buffer)[]): unknown[] {
  const reports: unknown[] = [];
  const splitter = new LineSplitter(20, {
    line: (bytes) => reports.push(bytes.toString()),
    tooLong: () => reports.push('too long'),
    longLine: (outline) => reports.push({ outline }),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return reports;
}

describe('lines', () => {
  it('are whole wherever the chunks end, and the last one needs no newline', () => {
    const text = 'é1\n\n{"a":1}\r\nxyz';
    const bytes = Buffer.from(text);

    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(split(chunks)).toEqual(['é1', '{"a":1}\r', 'xyz']);
      }),
    );
  });

  it('may have as many bytes as the limit', () => {
    expect(split(['x'.repeat(20), '\n'])).toEqual(['x'.repeat(20)]);
  });
});

describe('a line over the limit', () => {
  it('is reported with its top level, and the next lines are whole', () => {
    const long = '{"jsonrpc":"2.0","params":{"id":7,"a":["}\\"{"]},"method":"x","list":[1,{}],"id":5}';

    const reports = split([`a\n${long.slice(0, 30)}`, `${long.slice(30)}\nb\n`]);

    expect(reports).toEqual([
      'a',
      'too long',
      { outline: '{"jsonrpc":"2.0","params":{},"method":"x","list":[],"id":5}' },
      'b',
    ]);
  });

  it('ends with the input, if nowhere else', () => {
    expect(split(['x'.repeat(15), 'x'.repeat(15)])).toEqual(['too long', { outline: 'x'.repeat(30) }]);
  });

  it('has no outline when its top level is long too', () => {
    expect(split([`{"method":"${'x'.repeat(10_000)}"}\n`])).toEqual(['too long', { outline: undefined }]);
  });
});
