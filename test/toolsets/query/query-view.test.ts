import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerText } from '../../kit/view-text.js';
import { createQueryScene } from './query-scene.js';

interface Answer {
  readonly messages: readonly { readonly type?: string }[];
  readonly truncation: Readonly<Record<'total' | 'returned' | 'shortened' | 'dropped', number>> & {
    readonly next?: string;
  };
}

const anyMessage = fc.oneof(
  fc.record({ type: fc.constant('assistant'), message: fc.jsonValue({ maxDepth: 4 }) }),
  fc.record({ type: fc.constant('user'), text: fc.string({ maxLength: 3_000, unit: 'binary' }) }),
  fc.record({ type: fc.constant('system'), subtype: fc.string(), list: fc.array(fc.string()) }),
);

describe('what a query answers', () => {
  it('fits, keeps the result, and counts what is missing, whatever Claude has said', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyMessage, { maxLength: 150 }),
        fc.integer({ min: 1, max: 200 }),
        fc.string({ maxLength: 20_000 }),
        async (messages, maxMessages, words) => {
          const { begin, manager } = await createQueryScene();
          const { answer, process } = await begin({ maxMessages });
          for (const message of messages) process.say(message);
          process.say({ type: 'result', result: words });
          process.result({ result: words });
          const outcome = await answer;
          await manager.shutdown();

          const text = answerText(outcome);
          const { messages: shown, truncation } = JSON.parse(text) as Answer;
          expect(text.length).toBeLessThanOrEqual(7_500);
          expect(shown.at(-1)?.type).toBe('result');
          expect(truncation.returned).toBe(shown.length);
          expect(truncation.total).toBe(messages.length + 1);
          expect(truncation.dropped).toBe(truncation.total - truncation.returned);
          expect(truncation.returned).toBeLessThanOrEqual(maxMessages);
          expect(truncation.next === undefined).toBe(truncation.shortened + truncation.dropped === 0);
        },
      ),
      { numRuns: 25 },
    );
  });
});
