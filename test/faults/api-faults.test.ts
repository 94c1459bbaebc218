/** Every way in which the API can fail, one after the other in one session. */
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import {
  apiError,
  garbage,
  hangUp,
  repeat,
  stall,
  streamThenCut,
  streamThenHang,
  text,
  type ScriptStep,
} from '../kit/model-steps.js';

const faults: readonly { readonly prompt: string; readonly step: ScriptStep; readonly subtype: string }[] = [
  { prompt: 'status 401', step: apiError(401, 'authentication_error', 'No.'), subtype: 'invalid_key' },
  { prompt: 'status 429', step: apiError(429, 'rate_limit_error', 'No.'), subtype: 'rate_limited' },
  { prompt: 'status 500', step: apiError(500, 'api_error', 'No.'), subtype: 'server_error' },
  { prompt: 'status 502', step: apiError(502, 'api_error', 'No.'), subtype: 'server_error' },
  { prompt: 'status 529', step: apiError(529, 'overloaded_error', 'No.'), subtype: 'overloaded' },
  { prompt: 'reset', step: hangUp(), subtype: 'connection' },
  { prompt: 'cut', step: streamThenCut('I have only begun'), subtype: 'connection' },
  { prompt: 'garbage', step: garbage(), subtype: 'other' },
  { prompt: 'no answer', step: stall(), subtype: 'time_limit' },
  { prompt: 'no end', step: streamThenHang('I have only begun'), subtype: 'time_limit' },
];

it('each failure of the API ends its turn with a reason, and the session continues', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  for (const { prompt, step } of faults) model.when(prompt, [repeat(step)]);
  model.when('recovered', [text('Recovered.')]);
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const { sessionId } = json;

  const ends: unknown[] = [];
  for (const { prompt } of faults) {
    const reply = await server.call('claude_code_reply', {
      sessionId,
      prompt,
      waitMs: 20_000,
      timeoutMs: 1_500,
    });
    const { status, result } = reply.json;
    ends.push({ prompt, status, outcome: result?.outcome, subtype: result?.errorSubtype });
  }
  const last = await server.call('claude_code_reply', { sessionId, prompt: 'recovered', waitMs: 20_000 });

  expect(ends).toEqual(
    faults.map(({ prompt, subtype }) => ({ prompt, status: 'error', outcome: 'failed', subtype })),
  );
  expect(last.json).toMatchObject({ status: 'idle', result: { result: 'Recovered.' } });
});
