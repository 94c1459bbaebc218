import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startBackstage, startScene } from '../../kit/fixture.js';
import { serverEntry } from '../../kit/server-entry.js';

function transcriptsIn(configDir: string): readonly string[] {
  return readdirSync(configDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
}

it('the first call says how to sign in', async () => {
  const { server, sandbox, model } = await startScene({ era: 'modern', env: { ANTHROPIC_API_KEY: '' } });

  const started = await server.call('claude_code', { prompt: 'hello', title: 'Hello', cwd: sandbox.project });

  expect(started.text).toMatch(
    /^Error \[UNAVAILABLE\]: Claude Code is not signed in\. .*`node \/\S+ login` or `\/\S+\/claude auth login` with CLAUDE_CONFIG_DIR=\/.* set ANTHROPIC_API_KEY .*; then try again\.$/,
  );
  expect(model.calls).toEqual([]);
  // Otherwise lists of sessions would show a session that never was.
  expect(transcriptsIn(sandbox.configDir)).toEqual([]);
});

it('a turn says what to do when the API refuses the connection', async () => {
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const { server, sandbox } = await startScene({ era: 'modern', env });

  const started = await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });

  expect(started.json).toMatchObject({
    status: 'error',
    result: {
      isError: true,
      errorSubtype: 'connection',
      result: expect.stringMatching(/ECONNREFUSED/),
      totalCostUsd: 0,
      nextStep: expect.stringMatching(/Check the network connection to the API/),
    },
  });
});

it('a client that closes our stderr does not end the server with the next line it logs', async () => {
  const { sandbox } = await startBackstage();
  // A value that is none makes it log while it starts.
  const env = { ...sandbox.env(), MAX_SESSIONS: 'many' };
  const server = spawn(process.execPath, [serverEntry], { env, stdio: 'pipe' });
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
