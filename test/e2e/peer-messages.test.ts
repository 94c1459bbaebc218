import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

/** The names under which the live sessions can be addressed. */
function namesIn({ sandbox }: Scene): string[] {
  const folder = join(sandbox.configDir, 'sessions');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string }).name);
}

it.each(['agent-sdk', 'cli'])('a session takes no prompt from another session: %s', async (backend) => {
  const scene = await startScene({
    era: 'modern',
    env: {
      CLAUDE_CODE_MCP_BACKEND: backend,
      CLAUDE_CODE_MCP_CALLER_TRUST: 'full',
      // The server's environment does not open it either.
      CLAUDE_CODE_HARBOR_KITE: '1',
    },
  });
  const { server, model, sandbox } = scene;
  const idle = await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });
  const [name = ''] = namesIn(scene);
  model.when('attack', [
    tool('ListAgents', {}),
    tool('SendMessage', { to: name, summary: 'x', message: 'PLANTED' }),
    text('sent'),
  ]);

  const attack = await server.call('claude_code', {
    prompt: 'attack',
    cwd: sandbox.project,
    advanced: { env: { CLAUDE_CODE_HARBOR_KITE: '1' } },
    waitMs: 20_000,
  });
  const reply = await server.call('claude_code_reply', {
    sessionId: idle.json.sessionId,
    prompt: 'more',
    waitMs: 20_000,
  });

  const answers = JSON.stringify(model.requests(attack.json.sessionId).at(-1)?.body);
  expect(name).toMatch(/^project-/);
  expect(attack.json).toMatchObject({ status: 'idle', result: { result: 'sent' } });
  expect(answers).toContain(`No agent named '${name}' is reachable`);
  expect(answers).toContain('ListAgents is disabled for this session');
  expect(reply.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
  expect(JSON.stringify(model.requests(idle.json.sessionId).map(({ body }) => body))).not.toContain(
    'PLANTED',
  );
  expect(existsSync(join(sandbox.root, 'tmp', 'cc-socks'))).toBe(false);
});
