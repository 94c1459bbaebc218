import * as fc from 'fast-check';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { ObjectLines } from '../../../src/backends/agent-sdk/object-lines.js';

async function passed(...chunks: readonly (string | Buffer)[]): Promise<string> {
  const parts: Buffer[] = [];
  const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  for await (const part of new ObjectLines(input)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

describe('the output of Claude Code', () => {
  it.each(['null', '42', '[]', '"text"', 'true', 'plain text', ''])(
    'reaches the SDK without the line %j',
    async (line) => {
      expect(await passed(`{"a":1}\n${line}\n{"b":2}\n`)).toBe('{"a":1}\n{"b":2}\n');
    },
  );

  it('keeps its last line when that has no newline', async () => {
    expect(await passed('nu', 'll\n{"a"', ':1}')).toBe('{"a":1}');
  });

  it('keeps exactly the objects, however it is cut into chunks', async () => {
    const anyLine = fc.oneof(
      fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })).map((value) => JSON.stringify(value)),
      fc.constantFrom('null', '42', '[]', '[{"a":1}]', 'text', ''),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine), fc.array(fc.nat(40)), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        let start = 0;
        for (const length of cuts) chunks.push(bytes.subarray(start, (start += length)));
        chunks.push(bytes.subarray(start));

        const kept = lines.filter((line) => line.startsWith('{')).map((line) => `${line}\n`);
        expect(await passed(...chunks.filter(({ length }) => length > 0))).toBe(kept.join(''));
      }),
    );
  });

  it('ends when the process closes it in the middle of a line', async () => {
    const input = new Readable({ read: () => undefined });
    const lines = new ObjectLines(input);
    input.push('{"a":1');
    input.destroy();

    await expect(lines.toArray()).resolves.toBeDefined();
  });

  it('is read no faster than the SDK takes it', async () => {
    const input = new Readable({ read: () => undefined });
    const lines = new ObjectLines(input);
    input.push(`{"a":"${'x'.repeat(lines.readableHighWaterMark)}"}\n`);
    await vi.waitFor(() => expect(lines.readableLength).toBeGreaterThan(0));

    expect(input.isPaused()).toBe(true);
    lines.resume();
    await vi.waitFor(() => expect(input.isPaused()).toBe(false));
  });
});
