import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../kit/sandbox.js';

it('the built program adds itself to a client, and removes itself again', () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const env = sandbox.env();
  const home = env['HOME'] ?? '';
  const file = join(home, '.cursor', 'mcp.json');
  const before = '// mine\n{ "mcpServers": { "a": {"command": "x"}, } }\n';
  mkdirSync(join(home, '.cursor'), { recursive: true });
  writeFileSync(file, before);
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ['dist/claude-code-mcp.js', ...args], {
      env,
      encoding: 'utf8',
      input: '',
    });
    return { status, stderr, text: readFileSync(file, 'utf8') };
  };

  const refused = run('install', 'cursor');
  const installed = run('install', '--yes', 'cursor');
  const removed = run('uninstall', '--yes');

  expect({ refused, installed, removed }).toEqual({
    refused: { status: 2, stderr: expect.stringContaining('Pass --yes') as unknown, text: before },
    installed: {
      status: 0,
      stderr: '',
      text: expect.stringContaining(
        `"args": [${JSON.stringify(resolve('dist/claude-code-mcp.js'))}]`,
      ) as unknown,
    },
    removed: { status: 0, stderr: '', text: before },
  });
});
