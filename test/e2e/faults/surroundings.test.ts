import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startBackstage, startScene } from '../../kit/fixture.js';

it.each([
  {
    when: 'nobody is signed in',
    env: { ANTHROPIC_API_KEY: '' },
    errorSubtype: 'not_signed_in',
    words: /\w/,
    nextStep: /run `\/\S+\/claude auth login` on .*set ANTHROPIC_API_KEY/,
  },
  {
    when: 'the API refuses the connection',
    env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    errorSubtype: 'connection',
    words: /ECONNREFUSED/,
    nextStep: /Check the network connection to the API/,
  },
])('a turn says what to do when $when', async ({ env, errorSubtype, words, nextStep }) => {
  const { server, sandbox } = await startScene({ era: 'modern', env });

  const started = await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });

  expect(started.json).toMatchObject({
    status: 'error',
    result: {
      isError: true,
      errorSubtype,
      result: expect.stringMatching(words),
      totalCostUsd: 0,
      nextStep: expect.stringMatching(nextStep),
    },
  });
});

it('a client that closes our stderr does not end the server with the next line it logs', async () => {
  const { sandbox } = await startBackstage();
  // A value that is none makes it log while it starts.
  const env = { ...sandbox.env(), MAX_SESSIONS: 'many' };
  const server = spawn(process.execPath, ['dist/claude-code-mcp.js'], { env, stdio: 'pipe' });
  const exited = once(server, 'exit');
  const request = (id: number): string =>
    `${JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } },
    })}\n`;

  server.stderr.destroy();
  server.stdin.write(request(1));
  await once(server.stdout, 'data');
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })}\n`);
  const [answer] = (await once(server.stdout, 'data')) as [Buffer];
  server.stdin.end();

  expect(answer.toString()).toContain('claude_code');
  expect(await exited).toEqual([0, null]);
});
