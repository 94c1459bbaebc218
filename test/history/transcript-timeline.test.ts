import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { array, assert, asyncProperty, boolean, nat, record } from 'fast-check';
import { expect, it } from 'vitest';
import { TranscriptTimelines } from '../../src/history/transcript-timeline.js';
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
