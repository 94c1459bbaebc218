import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

it('the flags of the server become part of the entry, unless they are invalid', () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const file = join(sandbox.home, '.cursor', 'mcp.json');
  writeFileSync(join(sandbox.root, 'config.json'), '{}');
  const install = (...flags: string[]) =>
    spawnSync(
      process.execPath,
      [resolve('dist/claude-code-mcp.js'), 'install', 'cursor', '--yes', ...flags],
      {
        env: sandbox.env(),
        cwd: sandbox.root,
        encoding: 'utf8',
      },
    );

  const refused = install('--approvals', 'nobody');
  const isUntouched = !existsSync(file);
  const installed = install('--approvals', 'human', '--structured', '--config', 'config.json');

  expect([refused.status, refused.stderr, isUntouched, installed.status]).toEqual([
    2,
    expect.stringContaining('--approvals=nobody: must be one of auto, any, human'),
    true,
    0,
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    mcpServers: {
      'claude-code': {
        args: [
          resolve('dist/claude-code-mcp.js'),
          `--config=${join(sandbox.root, 'config.json')}`,
          '--approvals=human',
          '--structured=1',
        ],
      },
    },
  });
});

it('the diff masks secrets of other servers that only their format reveals', () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const secrets = [`ghp_${'aB3'.repeat(12)}`, `sk-ant-api03-${'xY7'.repeat(20)}`];
  mkdirSync(join(sandbox.home, '.cursor'));
  const text = `{\n  "mcpServers": {\n    "a": { "command": "x", "args": ${JSON.stringify(secrets)} }\n  }\n}\n`;
  writeFileSync(join(sandbox.home, '.cursor', 'mcp.json'), text);

  const { stdout } = spawnSync(process.execPath, ['dist/claude-code-mcp.js', 'install', 'cursor', '--yes'], {
    env: sandbox.env(),
    encoding: 'utf8',
  });

  expect(stdout).toContain('"a": { "command": "x"');
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});
