import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

describe.each(['modern', 'legacy'] as const)('a permission, %s era', (era) => {
  it('is asked, allowed and honoured in three calls and 1,200 bytes', async () => {
    const { server, model, sandbox } = await startInProcess({ era });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt', description: 'Make it' }), text('Done.')]);

    const started = await server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project });
    const asked = await server.call('claude_code_check', { sessionId: started.json.sessionId });
    const requestId = asked.json.actions?.[0]?.requestId;
    const answered = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [
        {
          type: 'permission',
          toolName: 'Bash',
          input: { command: 'touch a.txt', description: 'Make it' },
          accepts: ['allow', 'allow_for_session', 'deny'],
        },
      ],
    });
    expect(answered.json).toMatchObject({
      status: 'idle',
      result: { result: 'Done.', isError: false, outcome: 'completed', turn: 1, totalCostUsd: 0.0088 },
    });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(Buffer.byteLength(started.text + asked.text + answered.text)).toBeLessThanOrEqual(1_200);
  });

  it('is read and answered by the beginning of its id and of that of its session', async () => {
    const { server, model } = await startInProcess({ era });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const { json } = await server.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
    const sessionId = json.sessionId.slice(0, 8);
    const requestId = json.actions?.[0]?.requestId.slice(0, 6);

    const input = await server.call('claude_code_check', { sessionId, requestId });
    const answered = await server.call('claude_code_respond', { sessionId, requestId, decision: 'allow' });
    const again = await server.call('claude_code_respond', { sessionId, requestId, decision: 'deny' });

    expect(input.json.text).toBe('{"command":"touch a.txt"}');
    expect(answered.json).toMatchObject({ sessionId: json.sessionId, result: { result: 'Done.' } });
    expect(again.text).toMatch(/^Error \[INVALID_ARGUMENT\]: request \S{8} is already settled/);
  });

  it('takes two calls when the start waits, runs the tool once, and refuses a second answer', async () => {
    const { server, model, sandbox } = await startInProcess({ era });
    model.when('append', [tool('Bash', { command: 'echo line >> a.txt' }), text('Done.')]);

    const asked = await server.call('claude_code', {
      prompt: 'append',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const requestId = asked.json.actions?.[0]?.requestId;
    const answered = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const again = await server.call('claude_code_respond', { requestId, decision: 'deny' });

    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(readFileSync(join(sandbox.project, 'a.txt'), 'utf8')).toBe('line\n');
    expect(again.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request .* is already settled \(decision: allow, answered by: caller\)/,
    );
  });

  it('can be allowed with another input, denied with words, or denied with an interrupt', async () => {
    const { server, model, sandbox } = await startInProcess({ era });
    const script = [tool('Bash', { command: 'touch wrong.txt' }), text('Done.')];
    model.when('touch', script);
    const ask = async (prompt: string): Promise<{ sessionId: string; requestId: string }> => {
      const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, waitMs: 20_000 });
      return { sessionId: json.sessionId, requestId: json.actions?.[0]?.requestId ?? '' };
    };

    const edited = await ask('touch one');
    await server.call('claude_code_respond', {
      ...edited,
      decision: 'allow',
      updatedInput: { command: 'touch right.txt' },
    });
    const denied = await ask('touch two');
    const afterDeny = await server.call('claude_code_respond', {
      ...denied,
      decision: 'deny',
      message: 'never here',
    });
    const stopped = await ask('touch three');
    const afterStop = await server.call('claude_code_respond', {
      ...stopped,
      decision: 'deny',
      interrupt: true,
    });

    expect([
      existsSync(join(sandbox.project, 'right.txt')),
      existsSync(join(sandbox.project, 'wrong.txt')),
    ]).toEqual([true, false]);
    expect(afterDeny.json).toMatchObject({
      status: 'idle',
      result: { result: 'Done.', outcome: 'completed' },
    });
    expect(JSON.stringify(model.requests(denied.sessionId).at(-1)?.body)).toContain('never here');
    expect(afterStop.json).toMatchObject({
      status: 'idle',
      result: { outcome: 'interrupted', isError: false },
    });
    expect(model.requests(stopped.sessionId)).toHaveLength(1);
  });

  it('is denied at its deadline, and the model is told that nobody answered', async () => {
    const { server, model, sandbox, clock } = await startInProcess({ era });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Done without it.')]);

    const asked = await server.call('claude_code', {
      prompt: 'touch',
      cwd: sandbox.project,
      permissionRequestTimeoutMs: 1_000,
      waitMs: 20_000,
    });
    const { sessionId, cursor } = asked.json;
    await clock.pass(1_000);
    const done = await server.call('claude_code_check', {
      sessionId,
      waitMs: 20_000,
      cursor,
      include: ['events'],
    });
    const over = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(done.json.events).toContainEqual(
      expect.objectContaining({ type: 'input_resolved', answeredBy: 'timeout' }),
    );
    expect(over.json).toMatchObject({
      status: 'idle',
      result: { result: 'Done without it.', outcome: 'completed' },
    });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toContain('No person denied it');
  });

  it('ends the turn at its deadline when the operator wants it so, and the session goes on', async () => {
    const { server, model, sandbox, clock } = await startInProcess({
      era,
      env: { CLAUDE_CODE_MCP_ON_TIMEOUT: 'interrupt' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('never said')]);

    const asked = await server.call('claude_code', {
      prompt: 'touch',
      cwd: sandbox.project,
      permissionRequestTimeoutMs: 1_000,
      waitMs: 20_000,
    });
    const { sessionId } = asked.json;
    await clock.pass(1_000);
    await server.call('claude_code_check', { sessionId, cursor: asked.json.cursor, waitMs: 20_000 });
    const ended = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'hello', waitMs: 20_000 });

    expect(ended.json).toMatchObject({
      status: 'error',
      result: {
        outcome: 'failed',
        errorSubtype: 'approval_timeout',
        nextStep: expect.stringContaining('answer requests before they expire'),
      },
    });
    expect(model.requests(sessionId)[0]?.promptText).toBe('touch');
    expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});
