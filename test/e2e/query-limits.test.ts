import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultyCli } from '../kit/faulty-cli-env.js';
import { apiError, hangUp, repeat, stall, text, tool } from '../kit/model-steps.js';
import { jsonOf, startQueryScene, typesOf } from '../kit/query-scene.js';

/** Claude Code pauses before each retry: one is enough to see that it is its own. */
const patient = { CLAUDE_CODE_MAX_RETRIES: '1' };

describe('the time limit of a query', () => {
  const era = 'modern';
  it("is the operator's, and ends it with what there is", async () => {
    const { query, model, told, server } = await startQueryScene({
      era,
      env: { CLAUDE_CODE_MAX_EXECUTION_TIME: '2500' },
    });
    model.when('work', [tool('Bash', { command: 'echo one' }), stall()]);
    model.when('go on', [text('Went on.')]);

    const answer = jsonOf(await query('work'));
    const reply = await server.call('claude_code_reply', {
      sessionId: answer.sessionId,
      prompt: 'go on',
      waitMs: 20_000,
    });

    expect(answer.result).toMatchObject({
      success: false,
      error: expect.stringMatching(/^time_limit: The turn was stopped because it reached its time limit/),
      timedOut: true,
    });
    expect(typesOf(answer.messages).slice(0, 3)).toEqual(['system/init', 'assistant', 'user']);
    expect(told.at(-1)).toMatchObject({ level: 'error', data: { message: { error: 'time_limit' } } });
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
  });
});

describe('a failure during a query', () => {
  const era = 'modern';
  it.each([
    ['an overloaded API', apiError(529, 'overloaded_error', 'Overloaded'), 'overloaded'],
    ['a broken connection', hangUp(), 'connection'],
  ])('is tried again by Claude Code alone, and then explained: %s', async (_, failing, error) => {
    const { query, model, told } = await startQueryScene({ era, env: patient });
    model.when('work', [repeat(failing)]);

    const answer = jsonOf(await query('work'));

    expect(model.requests()).toHaveLength(2);
    expect(told.filter(({ data }) => data.message['subtype'] === 'api_retry')).toHaveLength(1);
    expect(answer.result).toMatchObject({ success: false, error: expect.stringContaining(`${error}: `) });
  });

  it('passes when the API comes back', async () => {
    const { query, model } = await startQueryScene({ era, env: patient });
    const lines: string[] = [];
    model.when('work', [apiError(529, 'overloaded_error', 'Overloaded'), text('Done.')]);

    const answer = jsonOf(await query('work', { onprogress: (line) => lines.push(line) }));

    expect(answer.result).toEqual({ success: true, summary: 'Done.' });
    expect(lines).toContainEqual(expect.stringMatching(/^API 529, retry 1 of 1 in \d+ s$/));
  });

  it('never runs a tool again that has run', async () => {
    const { query, model, sandbox } = await startQueryScene({ era, env: patient });
    model.when('work', [tool('Bash', { command: 'echo ran >> log' }), repeat(hangUp())]);

    const answer = jsonOf(await query('work', { args: { allowedTools: ['Bash'] } }));

    expect(readFileSync(join(sandbox.project, 'log'), 'utf8')).toBe('ran\n');
    expect(model.requests()).toHaveLength(3);
    expect(answer.result.success).toBe(false);
  });

  it('is answered soon when it is about who asks', async () => {
    const { query, model } = await startQueryScene({ era, env: { CLAUDE_CODE_MAX_RETRIES: '10' } });
    model.when('work', [repeat(apiError(401, 'authentication_error', 'invalid x-api-key'))]);

    const answer = jsonOf(await query('work'));

    expect(model.requests()).toHaveLength(2);
    expect(answer.result).toMatchObject({
      success: false,
      summary: expect.stringContaining('401'),
      error: expect.stringMatching(/^invalid_key: .*Ask the operator to correct this server's API key/),
    });
  });

  it('is answered at once when there is no Claude Code', async () => {
    const { query, told } = await startQueryScene({ era, env: { CLAUDE_CODE_PATH: '/nowhere/claude' } });

    const reply = await query('work');

    expect(reply.text).toMatch(/^Error \[UNAVAILABLE\]/);
    expect(told).toEqual([]);
  });

  it('is told and answered when Claude Code dies', async () => {
    const { query, told } = await startQueryScene({ era, env: faultyCli('crash-mid-turn') });

    const answer = jsonOf(await query('work'));

    expect(told.at(-1)).toMatchObject({
      level: 'error',
      data: { sequence: told.length, message: { type: 'error', error: 'crashed' } },
    });
    expect(answer.result).toMatchObject({
      success: false,
      error: expect.stringMatching(/^crashed: .*out of luck/),
    });
    expect(typesOf(answer.messages)).toContain('assistant');
  });
});
