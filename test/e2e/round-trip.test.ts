import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';

const allow = accept({ decision: 'allow' });

function startModern(): Promise<Scene> {
  return startScene({ era: 'modern', capabilities: formCapability });
}

function startCall({ sandbox }: Scene, args: Record<string, unknown> = {}): ToolCall {
  return { name: 'claude_code', args: { prompt: 'append', cwd: sandbox.project, waitMs: 20_000, ...args } };
}

/** Every command that the session was allowed to run has written a line. */
function linesIn({ sandbox }: Scene): string {
  const path = join(sandbox.project, 'a.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The session that the only open request belongs to, without asking anybody. */
async function openRequest({ server }: Scene): Promise<{ sessionId: string; requestId: string }> {
  const list = await server.call('claude_code_session', { action: 'list' });
  const sessionId = list.json.sessions?.[0]?.sessionId ?? '';
  const seen = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  return { sessionId, requestId: seen.json.actions?.[0]?.requestId ?? '' };
}

async function sessionCount({ server }: Scene): Promise<number | undefined> {
  const list = await server.call('claude_code_session', { action: 'list' });
  return list.json.sessions?.length;
}

describe('a call that comes back with the answer of a person', () => {
  it('goes on with the session it started, and starts no other', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done.')]);
    const call = startCall(scene);

    const { state } = await formOf(server, call);
    await personThinks(server);
    const done = await answerOf(server, call, retryWith(state, allow));

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', turn: 1 } });
    expect(linesIn(scene)).toBe('one\n');
    expect(await sessionCount(scene)).toBe(1);
    expect(model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
      ['append', 1],
      ['append', 1],
    ]);
  });

  it('does not answer a second time what it has answered: a retried respond', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [
      tool('Bash', { command: 'echo one >> a.txt' }),
      tool('Bash', { command: 'echo two >> a.txt' }),
      text('Done.'),
    ]);
    await formOf(server, startCall(scene));
    const { requestId } = await openRequest(scene);
    const call = { name: 'claude_code_respond', args: { requestId, decision: 'allow', waitMs: 20_000 } };

    const { message, state } = await formOf(server, call);
    await personThinks(server);
    const done = await answerOf(server, call, retryWith(state, allow));

    expect(message).toContain('> command: echo two >> a.txt');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(linesIn(scene)).toBe('one\ntwo\n');
  });
});
