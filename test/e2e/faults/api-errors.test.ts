import { describe, expect, it } from 'vitest';
import { startScene } from '../../kit/fixture.js';
import { apiError, repeat } from '../../kit/model-steps.js';
import { reply, start } from './fault-scene.js';

const person = "Ask the operator to correct this server's API key, then reply again.";
const wait = 'Wait for the rate limit to pass, then reply again.';
const caller = 'Start a new session with a model that this account can use, or without model.';

describe('an error of the API', () => {
  it('is a result that says who must act, and the session is usable after it', async () => {
    const scene = await startScene({ era: 'modern' });
    scene.model.when('by a person', [repeat(apiError(401, 'authentication_error', 'invalid x-api-key'))]);
    scene.model.when('by waiting', [repeat(apiError(429, 'rate_limit_error', 'Slow down.'))]);
    scene.model.when('by the caller', [repeat(apiError(404, 'not_found_error', 'model: claude-nope'))]);

    const first = await start(scene, { prompt: 'mended by a person' });
    const { sessionId } = first.json;
    const second = await reply(scene, sessionId, 'mended by waiting');
    const third = await reply(scene, sessionId, 'mended by the caller');
    const fourth = await reply(scene, sessionId, 'mended');

    const failed = { isError: true, outcome: 'failed', totalCostUsd: 0 };
    expect([first, second, third, fourth].map(({ isError }) => isError)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([first.json, second.json, third.json, fourth.json]).toMatchObject([
      { status: 'error', result: { ...failed, turn: 1, errorSubtype: 'invalid_key', nextStep: person } },
      { status: 'error', result: { ...failed, turn: 2, errorSubtype: 'rate_limited', nextStep: wait } },
      { status: 'error', result: { ...failed, turn: 3, errorSubtype: 'model_not_found', nextStep: caller } },
      { status: 'idle', result: { result: 'ok', isError: false, outcome: 'completed', turn: 4 } },
    ]);
  });
});
