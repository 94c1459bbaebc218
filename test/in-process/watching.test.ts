import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { apiError, gate, say, stall, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

describe('a check', () => {
  it('tells a result once, and with a cursor only what is new', async () => {
    const { server, sandbox } = await startInProcess({ era: 'modern' });
    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, cursor } = started.json;

    const again = await server.call('claude_code_check', { sessionId, cursor });
    const fromStart = await server.call('claude_code_check', { sessionId, cursor: 0 });

    expect(again.json).toEqual({ status: 'idle', cursor });
    expect(fromStart.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });

  it('shows events, tools and usage when asked to, in pages that lose nothing', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'legacy' });
    const calls = ['one', 'two', 'three'].map((word) =>
      say(`about ${word}`, tool('Bash', { command: `echo ${word}` })),
    );
    model.when('talk', [...calls, text('the end')]);
    const started = await server.call('claude_code', {
      prompt: 'talk',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = started.json;
    const page = (cursor: number | string): ReturnType<typeof server.call> =>
      server.call('claude_code_check', {
        sessionId,
        cursor,
        waitMs: 0,
        maxEvents: 4,
        include: ['events', 'tools', 'usage'],
      });

    const first = (await page(0)).json;
    const second = (await page(first.cursor)).json;
    const third = (await page(second.cursor)).json;

    const seqs = [first, second, third].flatMap(({ events }) => events?.map(({ seq }) => seq));
    expect(seqs).toEqual(Array.from({ length: 11 }, (_unused, index) => index + 1));
    expect(first.availableTools).toContainEqual({
      name: 'Bash',
      category: 'commands',
      does: 'Runs a shell command.',
    });
    expect(first.result?.usage).toMatchObject({ output_tokens: 80 });
  });

  it('shows a long result head and tail, and the rest page by page', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const long = Array.from({ length: 3_000 }, (_unused, index) => `line ${index}`).join('\n');
    model.when('write much', [text(long)]);
    const started = await server.call('claude_code', {
      prompt: 'write much',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, result } = started.json;

    let read = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const { json, text: answer } = await server.call('claude_code_check', {
        sessionId,
        resultOffset: offset,
      });
      expect(answer.length).toBeLessThanOrEqual(7_500);
      read += json.text ?? '';
      offset = json.nextOffset;
    }

    expect(started.text.length).toBeLessThanOrEqual(7_500);
    expect(result?.resultChars).toBe(long.length);
    expect(result?.result).toMatch(/^line 0\n.*characters hidden.*line 2999$/s);
    expect(read).toBe(long);
  });

  it('shows a long input head and tail, and the rest page by page', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const input = { file_path: `${sandbox.project}/big.txt`, content: 'safe '.repeat(4_000) + '; rm -rf ~' };
    model.when('write big', [tool('Write', input), text('written')]);
    const asked = await server.call('claude_code', {
      prompt: 'write big',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, actions } = asked.json;
    const requestId = actions?.[0]?.requestId;

    let read = '';
    for (let resultOffset: number | undefined = 0; resultOffset !== undefined;) {
      const { json } = await server.call('claude_code_check', { sessionId, requestId, resultOffset });
      read += json.text ?? '';
      resultOffset = json.nextOffset;
    }

    expect(asked.text.length).toBeLessThanOrEqual(7_500);
    expect(actions?.[0]?.input).toMatch(/characters hidden.*rm -rf ~/s);
    expect(JSON.parse(read)).toEqual(input);
    await server.call('claude_code_respond', { requestId, decision: 'deny', interrupt: true });
  });

  it('is cut at the limit of the operator, and says so', async () => {
    const { server, model, sandbox, clock } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_MAX_WAIT_MS: '50' },
    });
    const held = createGate();
    model.when('hold', [gate(held, text('released'))]);
    const started = await server.call('claude_code', { prompt: 'hold', cwd: sandbox.project });
    await held.reached;

    const checking = server.call('claude_code_check', {
      sessionId: started.json.sessionId,
      waitMs: 60_000,
    });
    await clock.pass(50);
    const check = await checking;

    expect(check.json).toMatchObject({ status: 'running', waitLimitMs: 50 });
    held.open();
  });

  it.each(['modern', 'legacy'] as const)('sends readable progress while it waits, %s era', async (era) => {
    const { server, model, sandbox, clock } = await startInProcess({ era });
    model.when('wait', [tool('Bash', { command: 'tail -f /dev/null' })]);
    const started = await server.call('claude_code', {
      prompt: 'wait',
      cwd: sandbox.project,
      title: 'a long job',
      allowedTools: ['Bash'],
    });
    const { sessionId } = started.json;
    await until('the tool runs', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
      return json.activity?.includes('tail') === true;
    });

    const message = await new Promise<string | undefined>((resolve) => {
      void server.call(
        'claude_code_check',
        { sessionId, waitMs: 20_000 },
        { onprogress: (progress) => resolve(progress.message) },
      );
      void clock.pass(5_000);
    });
    await server.call('claude_code_session', { action: 'cancel', sessionId });

    expect(message).toMatch(/^"a long job": `Bash: tail -f \/dev\/null`, \d+ s$/);
  });

  it('that the caller gives up leaves the session alone', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const held = createGate();
    model.when('hold', [gate(held, text('released'))]);
    const started = await server.call('claude_code', { prompt: 'hold', cwd: sandbox.project });
    const { sessionId } = started.json;
    await held.reached;
    const caller = new AbortController();

    const waiting = server.call(
      'claude_code_check',
      { sessionId, waitMs: 40_000 },
      { signal: caller.signal },
    );
    caller.abort();
    const gaveUp = await waiting.catch(() => 'gave up');
    held.open();
    const done = await server.call('claude_code_check', { sessionId });

    expect(gaveUp).toBe('gave up');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'released' } });
  });
});

it('a result lists the files that Claude changed, and not those that were denied', async () => {
  const { server, model, sandbox } = await startInProcess({ era: 'modern' });
  const write = (name: string) => tool('Write', { file_path: join(sandbox.project, name), content: 'x' });
  model.when('write two', [write('a.txt'), write('b.txt'), text('Done.')]);
  const answer = (requestId: string | undefined, decision: string) =>
    server.call('claude_code_respond', { requestId, decision });

  const { json } = await server.call('claude_code', {
    prompt: 'write two',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const second = await answer(json.actions?.[0]?.requestId, 'allow');
  const done = await answer(second.json.actions?.[0]?.requestId, 'deny');

  expect(done.json).toMatchObject({ status: 'idle', result: { changedFiles: ['a.txt'] } });
});

it('a result lists the file that an edited call has changed', async () => {
  const { server, model, sandbox } = await startInProcess({ era: 'modern' });
  const [asked, edited] = ['a.txt', 'b.txt'].map((name) => ({
    file_path: join(sandbox.project, name),
    content: 'x',
  }));
  model.when('write it', [tool('Write', asked), text('Done.')]);

  const { json } = await server.call('claude_code', {
    prompt: 'write it',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const done = await server.call('claude_code_respond', {
    requestId: json.actions?.[0]?.requestId,
    decision: 'allow',
    updatedInput: edited,
  });

  expect(done.json).toMatchObject({ status: 'idle', result: { changedFiles: ['b.txt'] } });
});

describe('limits', () => {
  it('end a turn at its time, with an error that says how to go on', async () => {
    const { server, model, sandbox, clock } = await startInProcess({ era: 'modern' });
    model.when('hold', [gate(createGate(), text('never'))]);

    const starting = server.call('claude_code', {
      prompt: 'hold',
      cwd: sandbox.project,
      timeout: 1_000,
      waitMs: 20_000,
    });
    await model.request(() => true);
    await clock.pass(1_000);
    const started = await starting;
    const reply = await server.call('claude_code_reply', {
      sessionId: started.json.sessionId,
      prompt: 'hello again',
      timeoutMs: 20_000,
      waitMs: 20_000,
    });

    expect(started.json).toMatchObject({
      status: 'error',
      result: {
        isError: true,
        outcome: 'failed',
        errorSubtype: 'time_limit',
        nextStep: expect.stringContaining('timeoutMs'),
      },
    });
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });

  it("end a turn at the operator's longest time, which no caller can raise", async () => {
    const { server, model, sandbox, clock } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS: '60000' },
    });
    model.when('wait', [stall()]);

    const starting = server.call('claude_code', { prompt: 'wait', cwd: sandbox.project });
    await model.request(() => true);
    const { sessionId } = (await starting).json;
    await clock.pass(60_000);
    const { json } = await server.call('claude_code_check', { sessionId });

    expect(json).toMatchObject({
      status: 'error',
      result: {
        errorSubtype: 'time_limit',
        nextStep: 'Reply to continue, or ask the operator to raise CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS.',
      },
    });
  });

  it('end a prompt at its turns, and the next reply can raise them', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const echo = tool('Bash', { command: 'echo more' });
    model.when('loop', [echo, echo, text('finished')]);

    const started = await server.call('claude_code', {
      prompt: 'loop',
      cwd: sandbox.project,
      maxTurns: 1,
      waitMs: 20_000,
    });
    const { sessionId } = started.json;
    const reply = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'loop again',
      maxTurns: 9,
      waitMs: 20_000,
    });

    expect(started.json).toMatchObject({ status: 'error', result: { errorSubtype: 'max_turns' } });
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'finished' } });
  });

  it('can be raised by the operator alone if no session may cost anything', async () => {
    const { server, sandbox } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_MAX_BUDGET_USD: '0' },
    });
    const start = { prompt: 'one', cwd: sandbox.project, waitMs: 20_000 };

    const { json } = await server.call('claude_code', start);
    const { text: refused } = await server.call('claude_code', { ...start, maxBudgetUsd: 1 });

    const nextStep = 'Ask the operator to raise CLAUDE_CODE_MCP_MAX_BUDGET_USD.';
    expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'max_budget', nextStep } });
    expect(refused).toMatch(
      /^Error \[PERMISSION_DENIED\]: maxBudgetUsd 1 .*\. Ask the operator to raise CLAUDE_CODE_MCP_MAX_BUDGET_USD\.$/,
    );
  });

  it('hold the budget of the session over all its processes', async () => {
    const { server, model, sandbox } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' },
    });
    const start = { prompt: 'one', cwd: sandbox.project, maxBudgetUsd: 0.006, waitMs: 20_000 };

    const one = await server.call('claude_code', start);
    const { sessionId } = one.json;
    const two = await server.call('claude_code_reply', { sessionId, prompt: 'two', waitMs: 20_000 });
    const three = await server.call('claude_code_reply', { sessionId, prompt: 'three', waitMs: 20_000 });
    const raised = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'four',
      maxBudgetUsd: 1,
      waitMs: 20_000,
    });

    expect(one.json).toMatchObject({ status: 'idle', result: { sessionTotalCostUsd: 0.0044 } });
    expect(two.json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'max_budget', sessionTotalCostUsd: 0.0088 },
    });
    expect(three.json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'max_budget', totalCostUsd: 0 },
    });
    expect(raised.json).toMatchObject({
      status: 'idle',
      result: { result: 'ok', sessionTotalCostUsd: 0.0132 },
    });
    expect(model.requests(sessionId).map(({ promptText }) => promptText)).toEqual(['one', 'two', 'four']);
  });
});

describe('turns that end between two checks', () => {
  it('all show their results, the last one in full', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const held = createGate();
    model.when('first', [gate(held, text('answer one'))]);
    model.when('second', [apiError(400, 'invalid_request_error', 'no second')]);
    model.when('third', [text('answer three')]);
    const started = await server.call('claude_code', { prompt: 'first', cwd: sandbox.project });
    const { sessionId, cursor } = started.json;
    for (const prompt of ['second', 'third'])
      await server.call('claude_code_reply', { sessionId, prompt, whenBusy: 'queue' });

    held.open();
    await until('the last turn ends', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
      return json.status === 'idle';
    });
    const all = await server.call('claude_code_check', { sessionId, cursor });
    const later = await server.call('claude_code_check', { sessionId, cursor: all.json.cursor, waitMs: 0 });

    expect(all.json).toMatchObject({
      status: 'idle',
      result: { result: 'answer three', turn: 3 },
      earlierResults: [
        { turn: 1, outcome: 'completed', result: 'answer one' },
        { turn: 2, outcome: 'failed', result: expect.stringContaining('no second') },
      ],
    });
    expect(later.json).not.toHaveProperty('earlierResults');
  });

  it('name the call that reads the rest of an earlier one', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const held = createGate();
    model.when('first', [gate(held, text('answer one '.repeat(200)))]);
    model.when('second', [text('answer two')]);
    const started = await server.call('claude_code', { prompt: 'first', cwd: sandbox.project });
    const { sessionId, cursor } = started.json;
    await server.call('claude_code_reply', { sessionId, prompt: 'second', whenBusy: 'queue' });

    held.open();
    await until('the last turn ends', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
      return json.status === 'idle' && json.result?.turn === 2;
    });
    const { text: answer } = await server.call('claude_code_check', { sessionId, cursor });

    expect(JSON.parse(answer)).toMatchObject({
      earlierResults: [
        { turn: 1, readMore: `claude_code_session {"action":"transcript","sessionId":"${sessionId}"}` },
      ],
    });
  });
});
