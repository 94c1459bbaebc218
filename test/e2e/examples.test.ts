import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const run = promisify(execFile);

interface RunError {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

it.each([
  ['approve-and-read', /^allow: Write .*hello\.txt/],
  ['query', /^`Write: .*hello\.txt`$/m],
])('the example %s works', async (name, step) => {
  const { model, sandbox } = await startBackstage();
  const file = join(sandbox.project, 'hello.txt');
  model.when('greet', [tool('Write', { file_path: file, content: 'hello' }), text('Greeted.')]);

  const { stdout } = await run(process.execPath, [`examples/${name}.mjs`, 'greet', sandbox.project], {
    env: sandbox.env(model),
  });

  expect(stdout).toMatch(step);
  expect(stdout).toContain('Greeted.');
  expect(readFileSync(file, 'utf8')).toBe('hello');
});

it('the orchestrator runs two sessions at once and approves by its rule', async () => {
  const { model, sandbox } = await startBackstage();
  const file = join(sandbox.project, 'hello.txt');
  model.when('greet', [tool('Write', { file_path: file, content: 'hello' }), text('Greeted.')]);
  model.when('publish', [tool('Bash', { command: 'npm publish' }), text('Not published.')]);

  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', 'examples/orchestrator.ts', sandbox.project, 'greet', 'publish'],
    { env: sandbox.env(model) },
  );

  expect(stdout.trim().split('\n').toSorted()).toEqual([
    expect.stringMatching(/^allow: Write .*hello\.txt/),
    expect.stringMatching(/^deny: Bash {"command":"npm publish"/),
    expect.stringMatching(/^greet: idle, \$0\.\d\d: Greeted\.$/),
    expect.stringMatching(/^publish: idle, \$0\.\d\d: Not published\.$/),
  ]);
  expect(readFileSync(file, 'utf8')).toBe('hello');
});

it('the examples say what is missing or refused, without a stack trace', async () => {
  const { sandbox } = await startBackstage();
  const failed = (...args: readonly string[]): Promise<unknown> =>
    run(process.execPath, args, { env: sandbox.env() }).catch(({ code, stdout, stderr }: RunError) => ({
      code,
      stdout,
      // The log of the server is there, too.
      stderr: stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    }));

  const failures = await Promise.all([
    failed('examples/query.mjs'),
    failed('examples/query.mjs', 'greet', '/'),
    failed('examples/approve-and-read.mjs', 'greet', '/'),
    failed('--import', 'tsx', 'examples/orchestrator.ts', '/', 'greet'),
  ]);

  const refused = { code: 1, stdout: '', stderr: [expect.stringMatching(/^Error \[PERMISSION_DENIED\]: /)] };
  const usage = 'Usage: node examples/query.mjs <task> <folder>';
  expect(failures).toEqual([{ code: 2, stdout: '', stderr: [usage] }, refused, refused, refused]);
});

it('the demo shows a session from its start to a clean exit', async () => {
  const demo = await run(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], {
    env: { ...process.env, NO_COLOR: '1' },
  });

  expect(demo.stdout).toContain('the session is in the list');
  expect(demo.stdout).toContain('the server exited with code 0');
});
