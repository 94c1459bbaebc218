import { execFile, spawnSync } from 'node:child_process';
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

// Below /proc, the system reports a missing file for every new folder, and the recursive mkdir of Node never returns.
it.runIf(process.platform === 'linux')('commands end when a folder can never be created', () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const folder = '/proc/claude-code-mcp';
  const env = { ...sandbox.env(), CLAUDE_CODE_MCP_STATE_DIR: folder, XDG_CONFIG_HOME: folder };
  const command = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['dist/claude-code-mcp.js', ...args], {
      env,
      encoding: 'utf8',
      input: '',
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });

  const doctor = command('doctor', '--quick', '--json');
  const token = command('token', 'create', 'laptop');
  const open = command('open', '--print');
  const install = command('install', 'vscode', '--yes');

  expect([doctor.signal, token.signal, open.signal, install.signal]).toEqual([null, null, null, null]);
  expect(doctor.stdout).toContain('"id":"state-folder","status":"fail"');
  expect([token.status, token.stderr, open.status]).toEqual([
    2,
    expect.stringContaining('/proc/claude-code-mcp cannot be created (ENOENT'),
    2,
  ]);
  expect([install.status, install.stdout]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
});
