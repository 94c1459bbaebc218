import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../kit/gate.js';
import { apiError, gate, text, thinking, tool } from '../kit/model-steps.js';
import { jsonOf, startQueryInProcess, typesOf } from '../kit/query-scene.js';

const wholeTurn = ['system/init', 'assistant', 'user', 'assistant', 'result'];

describe.each(['modern', 'legacy'] as const)('a query, %s era', (era) => {
  it('tells every message while it runs, in order and without a gap, and then the result', async () => {
    const { query, model, told, heard } = await startQueryInProcess({ era });
    const hold = createGate();
    model.when('say it', [tool('Bash', { command: 'echo one' }), gate(hold, text('Done.'))]);

    const running = query('say it');
    await heard('the result of the tool', ({ data }) => data.message['type'] === 'user');
    const typesBefore = typesOf(told.map(({ data }) => data.message));
    hold.open();
    const reply = await running;
    const answer = jsonOf(reply);

    expect(typesBefore).toEqual(wholeTurn.slice(0, 3));
    expect(typesOf(told.map(({ data }) => data.message))).toEqual(wholeTurn);
    expect(told.map(({ level, logger, data }) => [level, logger, data.type, data.sequence])).toEqual(
      wholeTurn.map((_, index) => ['info', 'claude-code/messages', 'claude_code_message', index + 1]),
    );
    expect(new Set(told.map(({ data }) => data.sessionId))).toEqual(new Set([answer.sessionId]));
    expect(told.every(({ data }) => !Number.isNaN(Date.parse(data.timestamp)))).toBe(true);
    expect(reply.text.length).toBeLessThanOrEqual(7_500);
    expect(answer).toEqual({
      sessionId: expect.any(String),
      result: { success: true, summary: 'Done.' },
      executionTime: expect.any(Number),
      usage: expect.objectContaining({ input_tokens: 2_000, output_tokens: 40 }),
      truncation: { total: 5, returned: 5, shortened: 0, dropped: 0 },
      messages: expect.any(Array),
    });
    expect(typesOf(answer.messages)).toEqual(wholeTurn);
    expect(answer.messages.at(-1)).toMatchObject({ type: 'result', result: 'Done.', is_error: false });
  });

  it('names the files of an untrusted folder that were not loaded', async () => {
    const { query, sandbox } = await startQueryInProcess({ era });
    writeFileSync(join(sandbox.project, 'CLAUDE.md'), 'Be terse.');

    const answer = jsonOf(await query('say it'));

    expect(answer).toMatchObject({
      projectSettings: expect.stringContaining('CLAUDE.md not loaded'),
      result: { success: true },
    });
  });

  it('takes its options in an object of their own, too', async () => {
    const { query, model, world } = await startQueryInProcess({ era });
    model.when('say it', [text('Done.')]);

    const answer = jsonOf(
      await query('say it', {
        args: {
          maxTurns: 3,
          options: {
            appendSystemPrompt: 'Be terse.',
            maxMessages: 1,
            maxTurns: 3,
            model: null,
            sandbox: { enabled: false },
          },
        },
      }),
    );

    expect(answer.result).toEqual({ success: true, summary: 'Done.' });
    expect(answer.messages).toHaveLength(1);
    expect(world.launches).toMatchObject([{ maxTurns: 3, systemPrompt: { append: 'Be terse.' } }]);
  });

  it('takes these options as JSON text, too', async () => {
    const { query, model, world } = await startQueryInProcess({ era });
    model.when('say it', [text('Done.')]);

    const answer = jsonOf(await query('say it', { args: { options: '{"maxTurns":"3","maxMessages":1}' } }));

    expect(answer.messages).toHaveLength(1);
    expect(world.launches).toMatchObject([{ maxTurns: 3 }]);
  });

  it.each([
    ['values', `{"sandbox":{"ignoreViolations":{${'"k":1,'.repeat(20_000)}"k":1}}}`],
    ['levels', `{"sandbox":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ])('refuses JSON text with too many %s before it is read', async (_, options) => {
    const { query } = await startQueryInProcess({ era });

    const { text: refusal } = await query('say it', { args: { options } });

    expect(refusal).toBe(
      'Error [INVALID_ARGUMENT]: options has more than 20,000 values or 200 levels. Correct the arguments and call again.',
    );
  });

  it.each([
    [
      { maxTurns: 2, options: { maxTurns: 3 } },
      /^Error \[INVALID_ARGUMENT\]: maxTurns has two different values: one at the top level, one in/,
    ],
    [
      { options: { permissionMode: 'bypassPermissions' } },
      /^Error \[PERMISSION_DENIED\]: .*bypassPermissions/,
    ],
    [{ options: { env: { LD_PRELOAD: 'x' } } }, /^Error \[INVALID_ARGUMENT\]: .*env/],
    [{ options: { sandbox: { excludedCommands: ['sh'] } } }, /^Error \[PERMISSION_DENIED\]: .*sandbox/],
    [{ options: 'all' }, /^Error \[INVALID_ARGUMENT\]: .*options/],
    [
      { resultOffset: 0 },
      /: resultOffset cannot be used with prompt\. Leave it out, or pass sessionId instead of prompt to read /,
    ],
    [{ messageOffset: 0, maxTurns: 1 }, /: messageOffset cannot be used with prompt\. Leave it out, or /],
  ])('refuses %j', async (args, refusal) => {
    const { query, world } = await startQueryInProcess({ era });

    const reply = await query('say it', { args });

    expect(reply.text).toMatch(refusal);
    expect(world.launches).toEqual([]);
  });

  it('sends a readable line for what happens, as progress', async () => {
    const { query, model } = await startQueryInProcess({ era });
    model.when('say it', [
      thinking('What now?', tool('Bash', { command: 'echo one' })),
      text('Done.\nReally.'),
    ]);
    const lines: string[] = [];

    await query('say it', { onprogress: (line) => lines.push(line) });

    expect(lines).toEqual([
      'Thinking: "What now?"',
      '`Bash: echo one`',
      'Returned: "one"',
      'Claude says "Done."',
      'Ended: "Done."',
    ]);
  });

  it('keeps system messages out of the answer, but not out of what it tells', async () => {
    const { query, model, told } = await startQueryInProcess({ era });
    model.when('say it', [tool('Bash', { command: 'echo one' }), text('Done.')]);

    const answer = jsonOf(await query('say it', { args: { includeSystemMessages: false } }));

    expect(typesOf(told.map(({ data }) => data.message))).toEqual(wholeTurn);
    expect(typesOf(answer.messages)).toEqual(wholeTurn.slice(1));
    expect(answer.truncation).toMatchObject({ total: 4, returned: 4, dropped: 0 });
  });

  it('answers with the last messages, and always with the result', async () => {
    const { query, model } = await startQueryInProcess({ era });
    model.when('say it', [tool('Bash', { command: 'echo one' }), text('Done.')]);

    const two = jsonOf(await query('say it', { args: { maxMessages: 2 } }));
    const one = jsonOf(await query('say it', { args: { maxMessages: 1 } }));

    expect(typesOf(two.messages)).toEqual(['assistant', 'result']);
    expect(two.truncation).toMatchObject({ total: 5, returned: 2, dropped: 3, next: expect.any(String) });
    expect(typesOf(one.messages)).toEqual(['result']);
  });

  it('shortens messages before it leaves any out, and names the call that pages the rest', async () => {
    const { query, model, told } = await startQueryInProcess({ era });
    const long = 'word '.repeat(5_000);
    const print = (name: string) => tool('Bash', { command: `printf 'word %.0s' {1..5000} # ${name}` });
    model.when('say it', [print('one'), print('two'), text(long)]);

    const reply = await query('say it', { args: { allowedTools: ['Bash'] } });
    const answer = jsonOf(reply);

    expect(reply.text.length).toBeLessThanOrEqual(7_500);
    expect(answer.truncation).toEqual({
      total: 7,
      returned: 7,
      shortened: expect.any(Number),
      dropped: 0,
      next: `claude_code_query {"sessionId":"${answer.sessionId}","messageOffset":0}`,
    });
    expect(answer.truncation.shortened).toBeGreaterThan(0);
    expect(answer.result.summary).toContain('characters hidden');
    expect(told.every(({ data }) => JSON.stringify(data.message).length <= 16_000)).toBe(true);
  });

  it('tells an error with the next number, and answers with it', async () => {
    const { query, model, told } = await startQueryInProcess({ era });
    model.when('fail', [apiError(529, 'overloaded_error', 'Overloaded')]);

    const answer = jsonOf(await query('fail'));

    expect(told.at(-1)).toMatchObject({
      level: 'error',
      logger: 'claude-code/messages',
      data: {
        type: 'claude_code_message',
        sessionId: answer.sessionId,
        message: { type: 'error', error: 'overloaded', nextStep: expect.any(String) },
        sequence: told.length,
      },
    });
    expect(answer.result).toMatchObject({
      success: false,
      summary: expect.stringContaining('529'),
      error: expect.stringMatching(/^overloaded: .*Wait a minute/),
    });
    expect(typesOf(answer.messages).slice(-2)).toEqual(['result', 'error']);
  });

  it('leaves a session that other tools continue', async () => {
    const { query, model, server } = await startQueryInProcess({ era });
    model.when('first', [text('One.')]);
    model.when('second', [text('Two.')]);

    const { sessionId } = jsonOf(await query('first'));
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'second', waitMs: 20_000 });

    expect(reply.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'Two.', turn: 2 } });
  });

  it('adds to the system prompt, and passes the policy like any start', async () => {
    const { query, model } = await startQueryInProcess({ era });
    model.when('say it', [text('Done.')]);

    await query('say it', {
      args: { appendSystemPrompt: 'Speak like a pirate.', model: 'claude-x', maxTurns: 3 },
    });
    const refused = await query('say it', { args: { permissionMode: 'bypassPermissions' } });
    const away = await query('say it', { args: { cwd: '/' } });
    const missing = await query('say it', { args: { cwd: '/nowhere/at/all' } });

    expect(JSON.stringify(model.requests()[0]?.body)).toContain('Speak like a pirate.');
    expect(model.requests()).toHaveLength(1);
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: callers may not use permissionMode/);
    expect(away.text).toMatch(/^Error \[/);
    expect(missing.text).toMatch(/^Error \[INVALID_ARGUMENT\]/);
  });

  it('takes secrets out of what it tells', async () => {
    const { query, model, told, server } = await startQueryInProcess({
      era,
      env: { ANTHROPIC_API_KEY: 'sk-ant-api03-planted-secret-0123456789' },
    });
    const secret = 'sk-ant-api03-planted-secret-0123456789';
    model.when('say it', [tool('Bash', { command: `echo ${secret}` }), text(`It is ${secret}.`)]);

    const answer = await query('say it', { onprogress: () => undefined });

    expect(told.length).toBeGreaterThan(3);
    expect(answer.isError).toBe(false);
    expect(server.stdout()).not.toContain(secret);
  });
});

describe('who hears the messages of a query', () => {
  it('is nobody in the 2026 protocol unless the request asks for them', async () => {
    const { server, model, told, sandbox } = await startQueryInProcess({ era: 'modern' });
    model.when('say it', [text('Done.')]);

    const reply = await server.call('claude_code_query', { prompt: 'say it', cwd: sandbox.project });

    expect(jsonOf(reply).result).toEqual({ success: true, summary: 'Done.' });
    expect(told).toEqual([]);
  });

  it.each(['modern', 'legacy'] as const)(
    'hears errors only, when it asked for no more: %s era',
    async (era) => {
      const { query, model, told, server } = await startQueryInProcess({ era });
      model.when('fail', [apiError(529, 'overloaded_error', 'Overloaded')]);
      if (era === 'legacy') await server.client.setLoggingLevel('error');

      await query('fail', { logLevel: 'error' });

      expect(told.map(({ level, data }) => [level, data.message['type']])).toEqual([['error', 'error']]);
    },
  );

  it('is told of logging only where queries are served', async () => {
    const scene = await startQueryInProcess({ era: 'legacy' });
    const without = await startQueryInProcess({ era: 'legacy', env: { CLAUDE_CODE_MCP_TOOLSETS: 'async' } });

    expect(scene.server.client.getServerCapabilities()).toHaveProperty('logging');
    expect(without.server.client.getServerCapabilities()).not.toHaveProperty('logging');
  });
});
