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
        expect(page).toEqual({
          items: whole.items.slice(from, from + count),
          first: from,
          total: whole.total,
        });
      }
    }),
    { numRuns: 40 },
  );
});

it('keeps the places of the newest lines only, under the same numbers', async () => {
  const path = join(temporaryFolder(), 'transcript.jsonl');
  const lineOf = (text: string): string =>
    `${JSON.stringify({ type: 'user', uuid: '00000000-0000-4000-8000-000000000000', message: { content: text } })}\n`;
  writeFileSync(path, lineOf('old').repeat(250) + lineOf('last'));
  const timelines = new TranscriptTimelines(100);

  const [oldest, newest] = await Promise.all([
    timelines.read(path, { from: 0, to: 2 }),
    timelines.read(path, { from: 250, to: 251 }),
  ]);

  expect(oldest).toEqual({ items: [], first: 151, total: 251 });
  expect(newest).toMatchObject({ items: [{ body: { text: 'last' } }], first: 250, total: 251 });
});

it('keeps no more places of many subagents than of one', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'transcript.jsonl');
  const agents = join(folder, 'transcript', 'subagents');
  mkdirSync(agents, { recursive: true });
  writeFileSync(path, '');
  const message = { content: [{ type: 'text', text: 'a' }] };
  const line = JSON.stringify({ type: 'assistant', uuid: '00000000-0000-4000-8000-000000000000', message });
  const addAgent = (index: number): void =>
    writeFileSync(join(agents, `agent-${index}.jsonl`), `${line}\n`.repeat(50));
  const timelines = new TranscriptTimelines(100);
  addAgent(0);
  addAgent(1);
  const few = await timelines.read(path, { from: 0, to: 1_000 });
  for (let index = 2; index < 10; index += 1) addAgent(index);

  const many = await timelines.read(path, { from: 0, to: 1_000 });

  expect([few, many].map(({ items, total }) => [items.length, total])).toEqual([
    [100, 100],
    [100, 500],
  ]);
});
