import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriedChars, answerText } from '../../kit/view-text.js';
import { until } from '../../kit/until.js';
import { createQueryScene } from './query-scene.js';

interface Answer {
  readonly result: { readonly summary: string };
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
          expect(carriedChars(text)).toBeLessThanOrEqual(7_500);
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

  it.each([0, 5, 20, 200])('is the whole result beside %d other messages', async (count) => {
    const { begin } = await createQueryScene();
    const words = 'word '.repeat(600).trim();
    const { answer, process } = await begin();
    process.say({ type: 'system', subtype: 'init', tools: Array(300).fill('mcp__server__tool') });
    for (let index = 0; index < count; index += 1) process.say({ type: 'user', text: 'x'.repeat(500) });
    process.say({ type: 'assistant', text: words });
    process.say({ type: 'result', result: words });
    process.result({ result: words });

    const shown = JSON.parse(answerText(await answer)) as Answer;

    expect(shown.result.summary).toBe(words);
    expect(shown.messages.at(-1)?.type).toBe('result');
  });

  it('leaves room for messages beside a result that must be paged anyway', async () => {
    const { begin } = await createQueryScene();
    const words = 'word '.repeat(20_000);
    const { answer, process } = await begin();
    for (let index = 0; index < 3; index += 1) process.say({ type: 'user', text: `step ${index}` });
    process.say({ type: 'result', result: words });
    process.result({ result: words });

    const { truncation, result } = JSON.parse(answerText(await answer)) as Answer;

    expect(truncation).toMatchObject({ total: 4, dropped: 0 });
    expect(result.summary.length).toBeGreaterThan(3_900);
  });

  it('has the usage as the API reported it', async () => {
    const { begin } = await createQueryScene();
    const usage = {
      input_tokens: 3,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 5 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
      service_tier: 'standard',
    };
    const { answer, process } = await begin();
    process.result({ usage });

    expect(JSON.parse(answerText(await answer))).toMatchObject({ usage });
  });

  it('says why it was stopped when the API rejects the key, not that it was interrupted', async () => {
    const { begin } = await createQueryScene();
    const { answer, process } = await begin();
    process.say({ type: 'system', subtype: 'api_retry', attempt: 2, error_status: 401 });
    await until('the query interrupts', () => process.interrupts === 1);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    const { result } = JSON.parse(answerText(await answer)) as Answer;

    expect(result.summary).toBe("The API rejected this server's key or token twice (401).");
  });
});
