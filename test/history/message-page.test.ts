import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage, type TranscriptMessage } from '../../src/history/message-line.js';
import { readMessages, type MessagePage, type PageRequest } from '../../src/history/message-page.js';
import { readLastText, readMessageText, readOutput, readPrompts } from '../../src/history/messages.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { textOf, transcriptLine } from './support/random-transcript.js';

const transcripts = array(transcriptLine, { maxLength: 40 });

/** What a reading of the whole file from its front finds. */
function messagesIn(text: string): readonly TranscriptMessage[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (/"type":"(?:user|assistant)"/.test(line) ? (readMessage(line) ?? []) : []));
}

const uuids = (messages: readonly TranscriptMessage[]): readonly string[] => messages.map(({ uuid }) => uuid);

const nextOf = ({ hasMore, messages }: MessagePage): number | undefined =>
  hasMore ? messages.at(-1)?.cursor : undefined;

async function readAll(
  path: string,
  request: Omit<PageRequest, 'offset'>,
  between: () => void = () => undefined,
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = await readMessages(path, { ...request, offset });
    expect(page.messages.length).toBe(page.hasMore ? request.limit : page.messages.length);
    seen.push(...uuids(page.messages));
    offset = nextOf(page);
    between();
  }
  return seen;
}

function filled(text: string): string {
  const path = join(temporaryFolder(), 'transcript.jsonl');
  writeFileSync(path, text);
  return path;
}

describe('pages of a transcript', () => {
  it('together contain the messages that a reading from the front finds, in either order', async () => {
    const path = filled('');
    const cases = record({ lines: transcripts, limit: integer({ min: 1, max: 7 }), cut: nat(40) });

    await assert(
      asyncProperty(cases, async ({ lines, limit, cut }) => {
        const text = textOf(lines) + textOf(lines.slice(0, 1)).slice(0, -1 - cut);
        writeFileSync(path, text);

        const oldest = await readAll(path, { order: 'oldest', limit });
        const newest = await readAll(path, { order: 'newest', limit });

        expect(oldest).toEqual(uuids(messagesIn(text)));
        expect(newest).toEqual(oldest.toReversed());
      }),
      { numRuns: 60 },
    );
  });

  it('skip as many messages as the offset says', async () => {
    const path = filled('');
    const cases = record({
      lines: transcripts,
      order: constantFrom('oldest' as const, 'newest' as const),
      offset: nat(20),
      limit: integer({ min: 1, max: 7 }),
    });

    await assert(
      asyncProperty(cases, async ({ lines, order, offset, limit }) => {
        const text = textOf(lines);
        writeFileSync(path, text);

        const { messages, hasMore, total } = await readMessages(path, { order, offset, limit });

        const all = uuids(messagesIn(text));
        const ordered = order === 'oldest' ? all : all.toReversed();
        expect({ uuids: uuids(messages), hasMore, total }).toEqual({
          uuids: ordered.slice(offset, offset + limit),
          hasMore: offset + limit < all.length,
          total: text.length > 1_048_576 ? undefined : all.length,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('neither repeat nor lose a message while the conversation grows', async () => {
    const path = filled('');

    await assert(
      asyncProperty(transcripts, transcripts, async (lines, added) => {
        const text = textOf(lines);
        writeFileSync(path, text);
        let left = added;
        const grow = (): void => {
          appendFileSync(path, textOf(left.slice(0, 3), 100));
          left = left.slice(3);
        };

        const seen = await readAll(path, { order: 'newest', limit: 3 }, grow);

        expect(seen).toEqual(uuids(messagesIn(text)).toReversed());
      }),
      { numRuns: 40 },
    );
  });

  it('are refused for a place that is not the start of the same message', async () => {
    const lines = Array.from({ length: 6 }, (_, index) => textOf([firstKind], index));
    const path = filled(lines.join(''));
    const offset = nextOf(await readMessages(path, { order: 'newest', offset: 0, limit: 2 })) ?? 0;
    const read = (at: number) => readMessages(path, { order: 'newest', offset: at, limit: 2 });
    const stale = { reason: 'transcript_offset_stale' };

    expect((await read(offset)).messages).toHaveLength(2);
    await expect(read(offset + 1)).rejects.toMatchObject(stale);
    await expect(read(offset + 2 ** 32)).rejects.toMatchObject(stale);
    await expect(read(999_999_999_999_999)).rejects.toMatchObject(stale);

    truncateSync(path, lines.slice(0, 4).join('').length);
    await expect(read(offset)).rejects.toMatchObject(stale);

    // Another conversation with lines of the same length.
    writeFileSync(path, Array.from({ length: 6 }, (_, index) => textOf([firstKind], index)).join(''));
    await expect(read(offset)).rejects.toMatchObject(stale);
  });
});

const firstKind = (index: number): string =>
  `${JSON.stringify({ uuid: crypto.randomUUID(), type: 'user', message: { content: `prompt ${index}` } })}\n`;

it('prompts, output, last text and single messages are those that a reading from the front finds', async () => {
  const path = filled('');

  await assert(
    asyncProperty(transcripts, nat(), async (lines, pick) => {
      writeFileSync(path, textOf(lines));
      const all = messagesIn(readFileSync(path, 'utf8'));
      const spoken = all
        .filter(({ role, text }) => role === 'assistant' && text !== '')
        .map(({ text }) => text);
      const prompted = all
        .filter(({ role, at }) => role === 'user' && at !== undefined)
        .map(({ text }) => text);
      const one = all[pick % Math.max(1, all.length)];

      const prompts = await readPrompts(path);
      const found = one && (await readMessageText(path, one.uuid));

      expect(prompts.map(({ text }) => text)).toEqual(prompted);
      expect(await readOutput(path)).toBe(spoken.join('\n'));
      expect(await readLastText(path)).toBe(spoken.at(-1));
      expect(found).toBe(one && (one.tools.length > 0 ? 'Bash {"command":"ls"}' : one.text));
    }),
    { numRuns: 40 },
  );
});
