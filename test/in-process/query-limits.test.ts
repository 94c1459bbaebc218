import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stall, text, tool } from '../kit/model-steps.js';
import { formCapability, neverAnswer, seatPerson } from '../kit/person.js';
import { jsonOf, startQueryInProcess, typesOf } from '../kit/query-scene.js';
import { until } from '../kit/until.js';

describe.each(['modern', 'legacy'] as const)('the time limit of a query, %s era', (era) => {
  it("is the operator's, and ends it with what there is", async () => {
    const { query, model, told, server, clock } = await startQueryInProcess({
      era,
      env: { CLAUDE_CODE_MAX_EXECUTION_TIME: '2500' },
    });
    model.when('work', [tool('Bash', { command: 'echo one' }), stall()]);
    model.when('go on', [text('Went on.')]);

    const running = query('work');
    await model.request((request) => JSON.stringify(request.body).includes('tool_result'));
    await clock.pass(2_500);
    const answer = jsonOf(await running);
    const reply = await server.call('claude_code_reply', {
      sessionId: answer.sessionId,
      prompt: 'go on',
      waitMs: 20_000,
    });

    expect(answer.result).toMatchObject({
      success: false,
      error:
        'time_limit: The turn was stopped because it reached its time limit. Call claude_code_reply to continue, or ask the operator to raise CLAUDE_CODE_MAX_EXECUTION_TIME.',
      timedOut: true,
    });
    expect(typesOf(answer.messages).slice(0, 3)).toEqual(['system/init', 'assistant', 'user']);
    expect(told.at(-1)).toMatchObject({ level: 'error', data: { message: { error: 'time_limit' } } });
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
  });

  it('can be given under its older name', async () => {
    const { query, model, clock } = await startQueryInProcess({ era });
    model.when('work', [stall()]);

    const running = query('work', { args: { timeout: 1_500 } });
    await model.request(() => true);
    await clock.pass(1_500);

    expect(jsonOf(await running).result).toMatchObject({ success: false, timedOut: true });
  });

  it('can be shortened by the caller, and not be lengthened', async () => {
    const { query, model, clock } = await startQueryInProcess({ era });
    model.when('work', [stall()]);

    const running = query('work', { args: { timeoutMs: 1_500 } });
    await model.request(() => true);
    await clock.pass(1_500);
    const short = jsonOf(await running);
    const waiting = query('work', { args: { timeoutMs: 300_001 } });
    await until('the second query runs', () => model.requests().length === 2);
    await clock.pass(300_000);
    const long = jsonOf(await waiting);

    expect(short.result).toMatchObject({
      success: false,
      timedOut: true,
      error: expect.stringMatching(/time limit\. Call claude_code_reply to continue\.$/),
    });
    expect(short).not.toHaveProperty('timeoutLimitMs');
    expect(long).toMatchObject({
      timeoutLimitMs: 300_000,
      result: {
        success: false,
        timedOut: true,
        error: expect.stringContaining('raise CLAUDE_CODE_MAX_EXECUTION_TIME'),
      },
    });
  });
});

describe('a query that waits for a person', () => {
  it('goes on when the request has found nobody in time', async () => {
    const scene = await startQueryInProcess({
      era: 'legacy',
      capabilities: formCapability,
      env: { CLAUDE_CODE_MCP_PERMISSION_TIMEOUT_MS: '1500' },
    });
    const person = seatPerson(scene.server, neverAnswer);
    scene.model.when('work', [tool('Bash', { command: 'touch a.txt' }), text('Done without.')]);

    const running = scene.query('work');
    await person.form(0);
    scene.clock.advance(1_500);
    const answer = jsonOf(await running);

    expect(answer.result).toEqual({ success: true, summary: 'Done without.' });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });
});
