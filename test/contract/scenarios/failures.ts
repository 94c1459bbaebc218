import { describe, expect, it } from 'vitest';
import type { ErrorSubtype } from '../../../src/core/session/turn-failures.js';
import { apiError, hangUp, repeat, text, tool, type Step } from '../../kit/model-steps.js';
import type { Stage } from '../stage.js';

const apiFailures: readonly [string, ErrorSubtype, Step][] = [
  ['401', 'invalid_key', apiError(401, 'authentication_error', 'invalid x-api-key')],
  ['429', 'rate_limited', apiError(429, 'rate_limit_error', 'Slow down.')],
  ['529', 'overloaded', apiError(529, 'overloaded_error', 'Overloaded')],
  ['a lack of credit', 'credit', apiError(400, 'invalid_request_error', 'Your credit balance is too low.')],
  ['404 of the model', 'model_not_found', apiError(404, 'not_found_error', 'model: claude-nope')],
  ['500', 'server_error', apiError(500, 'api_error', 'Oops')],
  ['a dropped connection', 'connection', hangUp()],
  ['a refusal', 'refusal', text('I will not.', { stopReason: 'refusal' })],
  // Last, because Claude Code compacts the conversation before it gives up.
  [
    'a prompt that is too long',
    'prompt_too_long',
    apiError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
  ],
];

export function describeFailures(stage: () => Stage): void {
  describe('a failure', () => {
    it.each(apiFailures)('of the API, %s, is reported as %s', async (name, errorSubtype, step) => {
      const { model } = stage();
      const session = stage().shared();
      // Claude Code sends its own request after a refusal.
      for (const prompt of [`fail by ${name}`, 'stopped by a safety classifier'])
        model.when(prompt, [repeat(step)]);

      const { report } = await session.turn(`fail by ${name}`);
      const after = await session.turn('better now?');

      expect(report).toMatchObject({ outcome: 'failed', errorSubtype, result: expect.stringMatching(/\w/) });
      expect(after.report).toMatchObject({ outcome: 'completed', result: 'ok' });
    });

    it('to sign in ends the process before it is ready', async () => {
      const session = stage().open({ environment: { ANTHROPIC_API_KEY: undefined } });
      session.send('who am I?');

      const exit = await session.host.exit();

      expect(exit.refusal).toMatchObject({ reason: 'not_signed_in', params: { isStart: true } });
      expect(session.host.signals).toEqual([]);
      expect(stage().model.requests(session.claudeSessionId)).toEqual([]);
    });

    it('to match the schema of the answer is reported as structured_output', async () => {
      const schema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] };
      const session = stage().open({ options: { outputFormat: { type: 'json_schema', schema } } });
      stage().model.when('count them', [repeat(tool('StructuredOutput', { count: 'many' }))]);

      const { report } = await session.turn('count them');

      expect(report).toMatchObject({ outcome: 'failed', errorSubtype: 'structured_output' });
    });

    it('to stay within maxTurns is reported prompt by prompt, and within the remaining budget permanently', async () => {
      const { model } = stage();
      const session = stage().open({ options: { maxTurns: 2 }, budgetLeftUsd: 0.014 });
      const again = repeat(tool('Bash', { command: 'echo again' }));
      model.when('loop', [again]);
      model.when('spend', [again]);

      const looped = await session.turn('loop');
      const between = await session.turn('better now?');
      const spent = await session.turn('spend');
      const requests = model.requests(session.claudeSessionId).length;
      const after = await session.turn('spend more');

      expect(looped.report).toMatchObject({
        outcome: 'failed',
        errorSubtype: 'max_turns',
        result: 'Reached maximum number of turns (2)',
        costUsd: expect.closeTo(0.0088, 6),
      });
      expect(between.report).toMatchObject({ outcome: 'completed', result: 'ok' });
      expect(spent.report).toMatchObject({
        outcome: 'failed',
        errorSubtype: 'max_budget',
        costUsd: expect.closeTo(0.0044, 6),
      });
      expect(after.report).toMatchObject({ outcome: 'failed', errorSubtype: 'max_budget', costUsd: 0 });
      expect(requests).toBe(4);
      expect(model.requests(session.claudeSessionId)).toHaveLength(requests);
    });
  });
}
