import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { array, assert, asyncProperty, boolean, nat, record } from 'fast-check';
import { expect, it } from 'vitest';
import { TranscriptTimelines } from '../../src/history/timeline/transcript-timeline.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { textOf, transcriptLine } from './support/random-transcript.js';

it('adds what was appended, so that a timeline is the same as one that is read anew', async () => {
  const path = join(temporaryFolder(), 'transcript.jsonl');
  const agentPath = join(path.replace('.jsonl', ''), 'subagents', 'agent-a1.jsonl');
  mkdirSync(dirname(agentPath), { recursive: true });
  const steps = array(
    record({
      lines: array(transcriptLine, { maxLength: 6 }),
      isOfAgent: boolean(),
      isCut: boolean(),
      isReplaced: nat(6).map((number) => number === 0),
      from: nat(20),
      count: nat(20),
    }),
    { maxLength: 8 },
  );

  await assert(
    asyncProperty(steps, async (list) => {
      writeFileSync(path, '');
      writeFileSync(agentPath, '');
      const kept = new TranscriptTimelines();
      for (const { lines, isOfAgent, isCut, isReplaced, from, count } of list) {
        const text = textOf(lines);
        const write = isReplaced ? writeFileSync : appendFileSync;
        write(isOfAgent ? agentPath : path, isCut ? text.slice(0, -1) : text);
        const range = { from, to: from + count };

        const whole = await new TranscriptTimelines().read(path, { from: 0, to: Number.POSITIVE_INFINITY });
        const page = await kept.read(path, range);

        expect(whole.items).toHaveLength(whole.total);
        expect(page).toEqual({ items: whole.items.slice(from, from + count), total: whole.total });
      }
    }),
    { numRuns: 40 },
  );
});

it('keeps the places of the newest lines only, under the same numbers', async () => {
  const path = join(temporaryFolder(), 'transcript.jsonl');
  const lineOf = (text: string): string =>
    `${JSON.stringify({ type: 'user', uuid: '00000000-0000-4000-8000-000000000000', message: { content: text } })}\n`;
  writeFileSync(path, lineOf('old').repeat(250_000) + lineOf('last'));
  const timelines = new TranscriptTimelines();

  const [oldest, newest] = await Promise.all([
    timelines.read(path, { from: 0, to: 2 }),
    timelines.read(path, { from: 250_000, to: 250_001 }),
  ]);

  expect(oldest).toEqual({ items: [], total: 250_001 });
  expect(newest).toMatchObject({ items: [{ body: { text: 'last' } }], total: 250_001 });
});
