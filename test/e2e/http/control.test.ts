import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startService } from '../../kit/service.js';
import { serverEntry } from '../../kit/server-entry.js';

interface Output {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Output> {
  return new Promise((resolve) => {
    execFile(process.execPath, [serverEntry, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? ''), stdout, stderr }),
    );
  });
}

it('a service is found and stopped by its state folder', async () => {
  const { sandbox } = await startBackstage();
  const env = sandbox.env();
  const { url, pid, exited } = await startService({ sandbox });

  const status = await run(['serve', 'status', '--json'], env);
  const inSession = await run(['serve', 'stop'], { ...env, CLAUDE_CODE_MCP_DEPTH: '1' });
  const stopped = await run(['serve', 'stop'], env);
  const after = await run(['serve', 'status'], env);

  expect([status.code, JSON.parse(status.stdout)]).toEqual([0, { isRunning: true, isReady: true, url, pid }]);
  expect(inSession).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('serve stop: cannot be used inside a session') as string,
  });
  expect(stopped).toEqual({
    code: 0,
    stdout: `Stopped the service at ${url}, process ${pid}.\n`,
    stderr: '',
  });
  expect(await exited).toBe(0);
  expect(after).toMatchObject({ code: 1, stdout: expect.stringContaining('No service runs in') as string });
});

it('an address that others could have written is neither used nor stopped', async () => {
  const { sandbox } = await startBackstage();
  const { url } = await startService({ sandbox });
  const path = join(sandbox.stateDir, 'service.json');
  chmodSync(path, 0o666);

  const stopped = await run(['serve', 'stop'], sandbox.env());

  expect(stopped).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${path} can be changed by other users`) as string,
  });
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
});

it('config shows the values of the server, and with --service those of a service', async () => {
  const { sandbox } = await startBackstage();
  const shown = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await run(['config', '--json', ...args], sandbox.env());
    const { settings } = JSON.parse(stdout) as { settings: Record<string, { value: unknown }> };
    return [settings['approvals']?.value, settings['history']?.value];
  };

  expect(await shown('--service')).toEqual(['human', 'off']);
  expect(await shown()).not.toEqual(['human', 'off']);
});
