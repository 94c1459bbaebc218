import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeChild, explain, isTooLong } from '../../../src/backends/shared/child.js';
import { redactorOf } from '../../kit/redactors.js';
import { canRunAs, giveTo, userOf } from '../../kit/system-users.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

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

describe('a start with more than the system allows', () => {
  const long = 'x'.repeat(4_000_000);

  it.skipIf(process.platform === 'win32').each([
    ['argument', ['-p', `--settings=${long}`], {}, '4000011 bytes in its argument --settings,'],
    [
      'variable',
      ['-p', '--settings={}'],
      { PATH: '/bin', LONG: long },
      '4000000 bytes in its variable LONG,',
    ],
  ])('names the longest %s', (_part, args, env, words) => {
    const start = (): ClaudeChild =>
      new ClaudeChild({ command: process.execPath, args, env }, redactorOf(secret));

    expect(start).toThrow(
      expect.objectContaining({
        reason: 'launch_too_long',
        message: expect.stringContaining(words) as string,
      }),
    );
  });

  it.each([
    ['E2BIG', 'linux', true],
    ['ENAMETOOLONG', 'win32', true],
    // The path of the executable or of the folder.
    ['ENAMETOOLONG', 'linux', false],
    ['ENOENT', 'win32', false],
  ] as const)('is recognised by %s on %s: %s', (code, platform, expected) => {
    expect(isTooLong(Object.assign(new Error('spawn'), { code }), platform)).toBe(expected);
  });
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

describe.skipIf(!canRunAs)('a program of another user', () => {
  /** Prints where it is, and its words, or ends with an error. */
  async function runIn(folder: string): Promise<{ readonly output: string; readonly child: ClaudeChild }> {
    const options = {
      command: '/bin/sh',
      args: ['-c', 'pwd -P; echo "$@"', 'sh', 'two words', '-n', '$HOME'],
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', CDPATH: '/etc' },
      user: userOf('alice'),
    };
    const child = new ClaudeChild(options, redactorOf(secret));
    let output = '';
    for await (const text of child.withPipes().stdout.setEncoding('utf8')) output += String(text);
    await child.exited;
    return { output, child };
  }

  it('starts in its folder', async () => {
    const folder = join(temporaryFolder(), 'of $alice');
    chmodSync(join(folder, '..'), 0o711);
    mkdirSync(folder);
    giveTo('alice', folder, 0o700);

    expect((await runIn(folder)).output).toBe(`${folder}\ntwo words -n $HOME\n`);
  });

  it.each(['by its name', 'through a link that has taken the place of its own folder'])(
    'does not start in a folder that only the service could enter: %s',
    async (how) => {
      const root = temporaryFolder();
      chmodSync(root, 0o711);
      const closed = join(root, 'of bob');
      const inner = join(closed, 'project');
      mkdirSync(inner, { recursive: true });
      giveTo('bob', closed, 0o700);
      giveTo('bob', inner, 0o755);
      const link = join(root, 'of alice');
      symlinkSync(inner, link);

      const { output, child } = await runIn(how === 'by its name' ? inner : link);

      expect(output).toBe('');
      expect(await child.exited).toMatch(/^Claude Code exited with code [12]$/);
      // The system may report the exit before the last output.
      await expect.poll(() => child.stderrTail).toMatch(/cd/);
    },
  );
});
