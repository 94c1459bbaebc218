import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudePids } from '../kit/claude-pids.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

async function startIdle({ server, sandbox }: Scene, args: Record<string, unknown> = {}): Promise<string> {
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  return json.sessionId;
}

const configure = ({ server }: Scene, sessionId: string, changes: Record<string, unknown>) =>
  server.call('claude_code_session', { action: 'configure', sessionId, ...changes });

const reply = ({ server }: Scene, sessionId: string, prompt: string) =>
  server.call('claude_code_reply', { sessionId, prompt, waitMs: 20_000 });

function writes({ model, sandbox }: Scene): string {
  const path = join(sandbox.project, 'a.txt');
  model.when('write', [tool('Write', { file_path: path, content: 'a' }), text('written')]);
  return path;
}

function modelsOf({ model }: Scene, sessionId: string): unknown[] {
  return model.requests(sessionId).map(({ body }) => (body as { model?: unknown }).model);
}

describe('configure', () => {
  it('changes model and mode of a live session, also in the middle of a turn, without replacing its process', async () => {
    const scene = await startScene({ era: 'modern' });
    const path = writes(scene);
    const sessionId = await startIdle(scene);
    const before = claudePids(scene.sandbox);

    const configured = await configure(scene, sessionId, {
      model: 'claude-haiku-4-5',
      permissionMode: 'acceptEdits',
    });
    const replied = await reply(scene, sessionId, 'write');
    const again = await reply(scene, sessionId, 'go on');
    const { json } = await scene.server.call('claude_code_session', { action: 'get', sessionId });

    expect(configured.json).toMatchObject({ sessionId, status: 'idle' });
    expect(replied.json).toMatchObject({
      status: 'idle',
      result: { result: 'written', changedFiles: ['a.txt'] },
    });
    expect(again.json.result).not.toHaveProperty('changedFiles');
    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
    expect(existsSync(path)).toBe(true);
    expect(modelsOf(scene, sessionId).slice(1)).toEqual(Array(3).fill('claude-haiku-4-5'));
    expect(json.options).toMatchObject({ model: 'claude-haiku-4-5', permissionMode: 'acceptEdits' });

    const held = createGate();
    const later = join(scene.sandbox.project, 'b.txt');
    scene.model.when('later', [gate(held, tool('Write', { file_path: later, content: 'b' })), text('late')]);
    await configure(scene, sessionId, { permissionMode: 'default' });
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'later', waitMs: 0 });
    await held.reached;
    await configure(scene, sessionId, { permissionMode: 'acceptEdits' });
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    await configure(scene, sessionId, { permissionMode: 'plan' });
    await reply(scene, sessionId, 'think');

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'late' } });
    expect(JSON.stringify(scene.model.requests(sessionId).at(-1)?.body)).toContain('Plan mode');
    expect(claudePids(scene.sandbox)).toEqual(before);
  });

  it('survives the end of the process, whether it was set before or after', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const path = writes(scene);
    const sessionId = await startIdle(scene);
    await configure(scene, sessionId, { permissionMode: 'acceptEdits' });
    await until('the process is closed', () => claudePids(scene.sandbox).length === 0);
    await configure(scene, sessionId, { model: 'claude-haiku-4-5' });

    const replied = await reply(scene, sessionId, 'write');

    expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'written' } });
    expect(existsSync(path)).toBe(true);
    expect(modelsOf(scene, sessionId).at(-1)).toBe('claude-haiku-4-5');
  });
});
