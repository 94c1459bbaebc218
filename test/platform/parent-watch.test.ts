import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it.runIf(process.platform !== 'win32')('ends with the parent that it has seen first', async () => {
  const script = fileURLToPath(new URL('orphan.ts', import.meta.url));
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `require('node:child_process').spawn(process.execPath, ['--import', 'tsx', ${JSON.stringify(script)}],
      { stdio: 'inherit' })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];

  for await (const line of createInterface({ input: parent.stdout })) {
    lines.push(line);
    if (line.startsWith('debug')) parent.kill('SIGKILL');
  }

  expect(lines).toEqual([
    'debug the server ends with its parent process',
    'info the parent process has exited, so the server shuts down',
  ]);
});
