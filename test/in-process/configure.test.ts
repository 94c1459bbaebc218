import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';

async function startIdle(
  { server, sandbox }: InProcessScene,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  return json.sessionId;
}

const configure = ({ server }: InProcessScene, sessionId: string, changes: Record<string, unknown>) =>
  server.call('claude_code_session', { action: 'configure', sessionId, ...changes });

const reply = ({ server }: InProcessScene, sessionId: string, prompt: string) =>
  server.call('claude_code_reply', { sessionId, prompt, waitMs: 20_000 });

function writes({ model, sandbox }: InProcessScene): string {
  const path = join(sandbox.project, 'a.txt');
  model.when('write', [tool('Write', { file_path: path, content: 'a' }), text('written')]);
  return path;
}

describe('configure', () => {
  it('holds in the middle of a turn', async () => {
    const scene = await startInProcess({ era: 'legacy' });
    const { server, model, sandbox } = scene;
    const held = createGate();
    const path = join(sandbox.project, 'a.txt');
    model.when('later', [gate(held, tool('Write', { file_path: path, content: 'a' })), text('written')]);
    const started = await server.call('claude_code', { prompt: 'later', cwd: sandbox.project });
    await held.reached;

    await configure(scene, started.json.sessionId, { permissionMode: 'acceptEdits' });
    held.open();
    const done = await server.call('claude_code_check', { sessionId: started.json.sessionId });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'written' } });
  });

  it.each(['acceptEdits', 'auto', 'bypassPermissions'])(
    'refuses %s where only people approve, and changes nothing',
    async (permissionMode) => {
      const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_APPROVALS: 'human' } });
      const path = writes(scene);
      const sessionId = await startIdle(scene);

      const refused = await configure(scene, sessionId, { permissionMode });
      const replied = await reply(scene, sessionId, 'write');

      expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: /);
      expect(refused.text).toContain(permissionMode);
      expect(replied.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
      expect(existsSync(path)).toBe(false);
    },
  );

  it('lets a caller be stricter where only people approve', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_APPROVALS: 'human' } });
    const sessionId = await startIdle(scene);

    await configure(scene, sessionId, { permissionMode: 'plan' });

    const { json } = await scene.server.call('claude_code_session', { action: 'get', sessionId });
    expect(json.options).toMatchObject({ permissionMode: 'plan' });
  });
});
