import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { logLines } from '../kit/log-lines.js';

it.skipIf(process.platform === 'win32')(
  'the server ends when its client was killed, even if another process holds its input open',
  async () => {
    const { sandbox } = await startBackstage();
    const fifo = join(sandbox.root, 'input');
    execFileSync('mkfifo', [fifo]);
    // This process holds the input open.
    const held = openSync(fifo, constants.O_RDWR);
    onTestFinished(() => closeSync(held));
    const start = `'${process.execPath}' dist/claude-code-mcp.js <'${fifo}' & wait`;
    const client = spawn('/bin/sh', ['-c', start], {
      env: { ...sandbox.env(), LOG_LEVEL: 'debug' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    client.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('the server ends with its parent process')) client.kill('SIGKILL');
    });

    // Ends when the server has exited.
    const logged = logLines(await text(client.stderr));

    expect(logged.at(-1)).toMatchObject({
      message: 'the parent process has exited, so the server shuts down',
    });
    expect(sandbox.processes()).toEqual([]);
  },
);
