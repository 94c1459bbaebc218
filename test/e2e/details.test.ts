import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';

const tinyServer = join(import.meta.dirname, '..', 'kit', 'tiny-server.mjs');

async function start({ server, sandbox }: Scene, args: Record<string, unknown> = {}): Promise<string> {
  const { json, text } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(text).toContain('"status":"idle"');
  return json.sessionId;
}

const get = ({ server }: Scene, sessionId: string, args: Record<string, unknown> = {}) =>
  server.call('claude_code_session', { action: 'get', sessionId, ...args });

describe('get', () => {
  it('tells how full the context is and how its servers are, while Claude Code is alive', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const mcpServers = {
      tiny: { type: 'stdio', command: process.execPath, args: [tinyServer], env: { TINY: 'hush-hush' } },
      broken: { type: 'stdio', command: '/nowhere/at/all' },
    };
    const sessionId = await start(scene, { advanced: { mcpServers } });

    const { json, text } = await get(scene, sessionId);

    expect(json).toMatchObject({
      sessionId,
      status: 'idle',
      totalCostUsd: 0.0044,
      sessionTotalTurns: 1,
      contextUsage: { totalTokens: expect.any(Number), maxTokens: expect.any(Number) },
      mcpServers: expect.arrayContaining([
        expect.objectContaining({ name: 'tiny' }),
        expect.objectContaining({ name: 'broken', status: 'failed' }),
      ]),
    });
    expect(text).not.toContain('hush-hush');
  });
});
