import { describe, expect, it } from 'vitest';
import { claudePids } from '../kit/claude-pids.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { jsonOf, startQueryScene, typesOf } from '../kit/query-scene.js';
import { until } from '../kit/until.js';

const wholeTurn = ['system/init', 'assistant', 'user', 'assistant', 'result'];

describe.each(['modern', 'legacy'] as const)('a query, %s era', (era) => {
  it('tells every message while it runs, in order and without a gap, and then the result', async () => {
    const { query, model, told, heard } = await startQueryScene({ era });
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
});

describe('a query that is over', () => {
  it('leaves no process behind, and can still be continued', async () => {
    const { query, model, heard, sandbox, server } = await startQueryScene({ era: 'modern' });
    const hold = createGate();
    model.when('say it', [tool('Bash', { command: 'echo one' }), gate(hold, text('Done.'))]);
    model.when('second', [text('Two.')]);

    const running = query('say it');
    await heard('the result of the tool', ({ data }) => data.message['type'] === 'user');
    const pids = claudePids(sandbox);
    hold.open();
    const { sessionId } = jsonOf(await running);
    await until('its process has closed', () => claudePids(sandbox).length === 0);
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'second', waitMs: 20_000 });

    expect(pids).toHaveLength(1);
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
  });
});

describe('a query on the cli backend', () => {
  it('tells the same messages, denies at once, and can be continued', async () => {
    const { query, model, told, server } = await startQueryScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_BACKEND: 'cli' },
    });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    model.when('second', [text('Two.')]);

    const answer = jsonOf(await query('touch it'));
    const { sessionId } = answer;
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'second', waitMs: 20_000 });

    expect(answer.result).toEqual({ success: true, summary: 'Done.' });
    expect(answer.denied).toEqual([expect.stringContaining('nobody can be asked')]);
    const types = typesOf(told.map(({ data }) => data.message));
    expect(types.filter((type) => wholeTurn.includes(String(type)))).toEqual(wholeTurn);
    expect(told.map(({ data }) => data.sequence)).toEqual(told.map((_, index) => index + 1));
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Two.' } });
  });
});
