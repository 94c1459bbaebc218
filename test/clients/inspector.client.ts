import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startStage } from './stage.js';

const run = promisify(execFile);
/** It finds its own package.json only if it runs here. */
const home = fileURLToPath(
  new URL('suite/node_modules/@modelcontextprotocol/inspector-cli/build', import.meta.url),
);

describe('the MCP Inspector as the client', () => {
  it('lists the tools, runs a session to its end and gets its result', async () => {
    const { sandbox, server, env, task, file } = await startStage();
    // It passes only what it is given to the server.
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const call = async (...args: readonly string[]) => {
      const { stdout } = await run(
        process.execPath,
        ['cli.js', ...variables, '--cli', ...server, '--method', ...args],
        { cwd: home, env },
      );
      return JSON.parse(stdout);
    };

    const { tools } = await call('tools/list');
    const input = [`prompt=${task}`, `cwd=${sandbox.project}`, 'waitMs=20000', 'allowedTools=["Write"]'];
    const { content } = await call('tools/call', '--tool-name', 'claude_code', '--tool-arg', ...input);

    expect(tools.map(({ name }: { name: string }) => name)).toContain('claude_code_respond');
    expect(JSON.parse(content[0].text)).toMatchObject({
      status: 'idle',
      result: { result: 'Written.', isError: false },
    });
    expect(readFileSync(file, 'utf8')).toBe('made');
  });
});
