import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../kit/sandbox.js';

const run = promisify(execFile);

it('doctor runs a session of the real Claude Code, and leaves nothing behind', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const program = join(process.cwd(), 'dist/claude-code-mcp.js');
  const api = createServer();
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void api.close());
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const env = { ...sandbox.env({ url }), CLAUDE_CODE_MCP_PORT: '0' };

  const { stdout } = await run(process.execPath, [program, 'doctor', '--json'], {
    env,
    cwd: sandbox.project,
  });

  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { id: string; message: string }[] };
  expect({ ok, found: checks.find(({ id }) => id === 'self-test') }).toEqual({
    ok: true,
    found: {
      id: 'self-test',
      status: 'ok',
      message: expect.stringMatching(
        /^A session on this machine asked for approval, ran a command and finished in /,
      ),
    },
  });
  expect(stdout).not.toContain('sk-fake-for-tests');
  expect(sandbox.processes()).toEqual([]);
  expect(readdirSync(join(sandbox.root, 'tmp')).filter((name) => name.includes('doctor'))).toEqual([]);
});
