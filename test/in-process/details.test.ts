import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';

const sensitive = { CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS: '1' };
async function start(
  { server, sandbox }: InProcessScene,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json, text } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(text).toContain('"status":"idle"');
  return json.sessionId;
}

const get = ({ server }: InProcessScene, sessionId: string, args: Record<string, unknown> = {}) =>
  server.call('claude_code_session', { action: 'get', sessionId, ...args });

describe('get', () => {
  it('shows the folder, and keeps prompt and agents to itself unless the operator allows them', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await start(scene, { systemPrompt: 'Be brief.' });

    const plain = await get(scene, sessionId);
    const refused = await get(scene, sessionId, { includeSensitive: true });

    expect(plain.json).toMatchObject({ cwd: scene.sandbox.project });
    expect(plain.text).not.toContain('Be brief.');
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: /);
    expect(refused.text).toContain('CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS');
  });

  it('tells them where the operator does, and never env or headers', async () => {
    const scene = await startInProcess({
      era: 'modern',
      env: { ...sensitive, CLAUDE_CODE_MCP_CALLER_TRUST: 'full' },
    });
    const server = {
      type: 'http',
      url: 'http://127.0.0.1:9/',
      headers: { Authorization: 'Bearer hush-hush-1' },
    };
    const agents = {
      reviewer: { description: 'Reviews', prompt: 'Review it.', mcpServers: [{ inner: server }] },
    };
    const sessionId = await start(scene, {
      systemPrompt: 'Be brief.',
      advanced: { agents, env: { PLANTED: 'hush-hush-2' }, mcpServers: { outer: server } },
    });

    const { json, text } = await get(scene, sessionId, { includeSensitive: true });

    expect(json).toMatchObject({
      cwd: scene.sandbox.project,
      systemPrompt: 'Be brief.',
      agents: { reviewer: { description: 'Reviews', prompt: 'Review it.' } },
    });
    expect(text).not.toContain('hush-hush');
    expect(text).not.toContain('Authorization');
  });

  it('starts no process to answer', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const sessionId = await start(scene);
    await scene.clock.pass(50);

    const { json } = await get(scene, sessionId);

    expect(json).toMatchObject({ sessionId, status: 'idle' });
    expect(json).not.toHaveProperty('contextUsage');
    expect(scene.world.launches).toHaveLength(1);
  });
});

describe.each(['list', 'cancel'] as const)('%s', (action) => {
  const call = ({ server }: InProcessScene, sessionId: string) =>
    server.call('claude_code_session', {
      action,
      includeSensitive: true,
      ...(action === 'list' ? {} : { sessionId }),
    });

  it('shows the same details as get where the operator allows it', async () => {
    const scene = await startInProcess({ era: 'modern', env: sensitive });
    const sessionId = await start(scene, { systemPrompt: 'Be brief.' });

    const { json } = await call(scene, sessionId);

    expect(action === 'list' ? json.sessions?.[0] : json).toMatchObject({
      sessionId,
      systemPrompt: 'Be brief.',
    });
  });

  it('refuses them where the operator does not, and changes nothing', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await start(scene, { systemPrompt: 'Be brief.' });

    const { text } = await call(scene, sessionId);
    const plain = await scene.server.call('claude_code_session', { action: 'list' });

    expect(text).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS/);
    expect(plain.json.sessions).toMatchObject([{ sessionId, status: 'idle', cwd: scene.sandbox.project }]);
    expect(plain.text).not.toContain('Be brief.');
  });
});
