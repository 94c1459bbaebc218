import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';

describe('limits', () => {
  it('end a turn at its time, with an error that says how to go on', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    model.when('hold', [gate(createGate(), text('never'))]);

    const started = await server.call('claude_code', {
      prompt: 'hold',
      cwd: sandbox.project,
      timeout: 1_000,
      waitMs: 20_000,
    });
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

  it('end a prompt at its turns, and the next reply can raise them', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
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
});

describe('background work', () => {
  it('starts a turn of its own when it is done, and keeps the process alive until then', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '20' },
    });
    model.when('in the background', [
      tool('Bash', { command: 'until [ -e go ]; do sleep 0.05; done; echo ready', run_in_background: true }),
      text('it runs'),
    ]);
    model.when('<task-notification', [text('it is ready')]);

    const started = await server.call('claude_code', {
      prompt: 'in the background',
      cwd: sandbox.project,
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });
    const { sessionId, cursor } = started.json;
    writeFileSync(`${sandbox.project}/go`, '');
    const news = await server.call('claude_code_check', { sessionId, cursor, waitMs: 20_000 });

    expect(started.json).toMatchObject({
      status: 'idle',
      tasks: [expect.any(String)],
      result: { result: 'it runs' },
    });
    expect(news.json).toMatchObject({ status: 'idle', result: { result: 'it is ready', turn: 2 } });
    expect(news.json.tasks).toBeUndefined();
  });
});

describe('a subagent in the background', () => {
  it('can ask while the main turn ends, and its request stays open until somebody answers', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    const main = createGate();
    model.when('delegate', [
      tool('Agent', { description: 'sub', prompt: 'do the sub work', subagent_type: 'general-purpose' }),
      gate(main, text('delegated')),
    ]);
    model.when('do the sub work', [tool('Bash', { command: 'touch sub.txt' }), text('sub work done')]);
    model.when('<task-notification', [text('the subagent is done')]);

    const asked = await server.call('claude_code', {
      prompt: 'delegate',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, actions, cursor } = asked.json;
    main.open();
    const ended = await server.call('claude_code_check', { sessionId, cursor, waitMs: 20_000 });
    const requestId = ended.json.actions?.[0]?.requestId;
    await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const news = await server.call('claude_code_check', {
      sessionId,
      cursor: ended.json.cursor,
      include: ['events'],
    });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', agent: 'general-purpose' }],
    });
    expect(ended.json).toMatchObject({
      status: 'waiting',
      result: { result: 'delegated', outcome: 'completed' },
    });
    expect(requestId).toBe(actions?.[0]?.requestId);
    expect(existsSync(`${sandbox.project}/sub.txt`)).toBe(true);
    expect(news.json.events).toContainEqual(
      expect.objectContaining({ type: 'input_resolved', answeredBy: 'caller' }),
    );
  });
});
