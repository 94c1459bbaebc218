import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';

describe('a permission', () => {
  const era = 'modern';

  it('is asked, allowed and honoured in three calls and 1,200 bytes', async () => {
    const { server, model, sandbox } = await startScene({ era: 'legacy' });
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

  it('runs the tool once, refuses a second answer, takes another input, and is denied with words or an interrupt', async () => {
    const { server, model, sandbox } = await startScene({ era });
    model.when('append', [tool('Bash', { command: 'echo line >> a.txt' }), text('Done.')]);
    model.when('touch', [tool('Bash', { command: 'touch wrong.txt' }), text('Done.')]);
    const waitMs = 20_000;
    const respond = ({ json }: ToolReply, answer: Record<string, unknown>): Promise<ToolReply> =>
      server.call('claude_code_respond', { requestId: json.actions?.[0]?.requestId, ...answer });

    const first = await server.call('claude_code', { prompt: 'append', cwd: sandbox.project, waitMs });
    const { sessionId } = first.json;
    const ask = (prompt: string): Promise<ToolReply> =>
      server.call('claude_code_reply', { sessionId, prompt, waitMs });
    const allowed = await respond(first, { decision: 'allow' });
    const again = await respond(first, { decision: 'deny' });
    const updatedInput = { command: 'touch right.txt' };
    const edited = await respond(await ask('touch one'), { decision: 'allow', updatedInput });
    const denied = await respond(await ask('touch two'), { decision: 'deny', message: 'never here' });
    const seen = JSON.stringify(model.requests(sessionId).at(-1)?.body);
    const third = await ask('touch three');
    const requestsBefore = model.requests(sessionId).length;
    const stopped = await respond(third, { decision: 'deny', interrupt: true });

    expect(readFileSync(join(sandbox.project, 'a.txt'), 'utf8')).toBe('line\n');
    expect(again.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request .* is already settled \(decision: allow, answered by: caller\)/,
    );
    for (const { json } of [allowed, edited, denied])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.', outcome: 'completed' } });
    expect(['right.txt', 'wrong.txt'].map((name) => existsSync(join(sandbox.project, name)))).toEqual([
      true,
      false,
    ]);
    expect(seen).toContain('never here');
    expect(stopped.json).toMatchObject({
      status: 'idle',
      result: { outcome: 'interrupted', isError: false },
    });
    expect(model.requests(sessionId)).toHaveLength(requestsBefore);
  });

  it('ends the turn at its deadline when the operator wants it so, and the session goes on', async () => {
    const { server, model, sandbox } = await startScene({
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
