import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../kit/sandbox.js';
import { hasTerminal, script } from '../../kit/terminal-session.js';

const run = promisify(execFile);

describe.skipIf(process.platform === 'win32')('login and logout', () => {
  it('hand the terminal to the Claude Code of the server, and end as it does', async () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.remove());
    const claude = join(sandbox.root, 'claude');
    writeFileSync(claude, '#!/bin/sh\necho "$@, in $(pwd), nested: ${CLAUDECODE:-no}"\nexit 3\n');
    chmodSync(claude, 0o755);
    const env = { ...sandbox.env(), CLAUDE_CODE_PATH: claude, CLAUDECODE: '1' };

    const ended = (file: string, args: readonly string[]): Promise<unknown> =>
      run(file, args, { env }).catch((error: unknown) => error);
    const program = 'dist/claude-code-mcp.js';
    const inTerminal = `${process.execPath} ${program} login --console`;

    const [login, logout, withoutTerminal] = await Promise.all([
      hasTerminal ? ended(script, ['-qfec', inTerminal, '/dev/null']) : undefined,
      ended(process.execPath, [program, 'logout']),
      ended(process.execPath, [program, 'login']),
    ]);

    if (hasTerminal)
      expect(login).toMatchObject({
        code: 3,
        stdout: `auth login --console, in ${sandbox.home}, nested: no\r\n`,
      });
    expect(logout).toMatchObject({
      code: 3,
      stdout: `auth logout, in ${sandbox.home}, nested: no\n`,
      stderr: '',
    });
    expect(withoutTerminal).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`In a terminal, run: node ${program} login.`) as string,
    });
  });
});
