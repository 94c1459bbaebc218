import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ClaudeChild, explain } from '../../../src/backends/shared/child.js';
import { redactorOf } from '../../kit/redactors.js';

const secret = 'PLANTED-4f5e6d7c8b9a';

function start(script: string): ClaudeChild {
  const child = new ClaudeChild(
    { command: process.execPath, args: ['-e', script], env: { PATH: process.env['PATH'] } },
    redactorOf(secret),
  );
  child.withPipes().stdout.resume();
  return child;
}

it('shows the end of the error stream, without secrets', async () => {
  const child = start(
    `for (let i = 0; i < 3000; i += 1) console.error('line ' + i); console.error('${secret}')`,
  );

  await child.exited;

  await expect.poll(() => child.stderrTail).toMatch(/\nline 2999\n\S+$/);
  expect(child.stderrTail.length).toBeLessThanOrEqual(4_000);
  expect(child.stderrTail).not.toContain(secret);
});

it('distinguishes a command that could not be started from one that exited', async () => {
  const ended = start('process.exit(3)');
  const missing = new ClaudeChild({ command: '/no/such/command', args: [], env: {} }, redactorOf(secret));

  expect(await ended.exited).toBe('Claude Code exited with code 3');
  expect(await missing.exited).toContain('Claude Code could not be started');
  expect([ended.neverStarted, missing.neverStarted]).toEqual([false, true]);
});

describe('a start that failed', () => {
  const missing = new Error('spawn claude ENOENT');
  const deep = `C:\\${'deep\\'.repeat(60)}`;

  it.each([
    ['nothing else is wrong', tmpdir(), 'linux', 'spawn claude ENOENT'],
    ['the folder is gone', '/no/such/folder', 'linux', 'the folder /no/such/folder does not exist'],
    [
      'the path of the folder is too long for Windows',
      deep,
      'win32',
      'the path of the folder has 303 characters, and Windows allows 258. Use a shorter path, for example through a drive letter (subst)',
    ],
  ] as const)('is explained when %s', (_when, cwd, platform, words) => {
    expect(explain(missing, cwd, platform)).toBe(words);
  });
});
