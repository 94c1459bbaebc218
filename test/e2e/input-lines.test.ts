import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const limit = 10 * 1024 * 1024;

async function startWorking({ server, model, sandbox }: Scene): Promise<void> {
  model.when('wait', [tool('Bash', { command: 'tail -f /dev/null' }), text('over')]);
  await server.call('claude_code', { prompt: 'wait', cwd: sandbox.project, allowedTools: ['Bash'] });
  await until('Bash runs', () => sandbox.processes().some(({ command }) => command === 'tail -f /dev/null'));
}

/** A call whose line, with its newline, has exactly this many bytes. */
function callOf(bytes: number): string {
  const line = (prompt: string): string =>
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 'long',
      method: 'tools/call',
      params: { name: 'claude_code', arguments: { prompt } },
    })}\n`;
  return line('x'.repeat(bytes - line('').length));
}

/** The errors on stdout, in the order in which they were sent. */
function errorsIn(stdout: string): { readonly error: { readonly code: number } }[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"error"'))
    .map((line) => JSON.parse(line) as { readonly error: { readonly code: number } });
}

describe('a line of input', () => {
  it('over 10 MiB is answered under its id, with or without a newline, and the server and its sessions continue', async () => {
    const scene = await startScene({ era: 'legacy' });
    const { server, sandbox } = scene;
    await startWorking(scene);

    server.write(callOf(limit + 100_000));
    server.write(Buffer.alloc(limit + 100_000, 'x'));
    server.write('\n');
    const list = await server.call('claude_code_session', { action: 'list' });

    const error = {
      code: -32_600,
      message: 'Invalid request: The message is longer than 10 MiB.',
    };
    expect(errorsIn(server.stdout())).toEqual([
      { jsonrpc: '2.0', id: 'long', error },
      { jsonrpc: '2.0', error },
    ]);
    expect(server.stderr().match(/longer than 10 MiB/g)).toHaveLength(2);
    expect(list.json.sessions).toMatchObject([{ status: 'running' }]);
    expect(sandbox.processes().some(({ command }) => command === 'tail -f /dev/null')).toBe(true);
    expect(server.strayLines()).toEqual([]);
  });

  it('is answered up to exactly 10 MiB, also when another follows at once', async () => {
    const { server } = await startScene({ era: 'legacy' });

    server.write(callOf(limit) + callOf(limit));
    await until('both are answered', () => (server.stdout().match(/"id":"long"/g) ?? []).length === 2);
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(server.stdout()).toContain('is longer than 1048576 characters');
    expect(list.json.sessions).toEqual([]);
  });

  it('is refused when it is no message, and the next one is answered', async () => {
    const { server } = await startScene({ era: 'legacy' });

    server.write(Uint8Array.from([0, 255, 254, 10, 192, 128, 10]));
    server.write(`${'['.repeat(15_000)}\n${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n`);
    server.write('\n\n{"jsonrpc":"2.0"}\n[]\nnull\n"text"\n');
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(list.json.sessions).toEqual([]);
    expect(errorsIn(server.stdout()).map(({ error }) => error.code)).toEqual([
      -32_700, -32_700, -32_600, -32_600, -32_600, -32_600, -32_600, -32_600,
    ]);
    expect(server.strayLines()).toEqual([]);
  });

  it('is answered without a newline at the end of input', async () => {
    const { server } = await startScene({ era: 'legacy' });

    server.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    server.endInput();
    const exit = await server.exited;

    expect(server.stdout()).toContain('{"result":{},"jsonrpc":"2.0","id":"last"}\n');
    expect(exit).toEqual({ code: 0, signal: null });
  });
});

describe('a client that does not read', () => {
  it('keeps the server from answering more, and is noticed when it leaves', async () => {
    const { server } = await startScene({ era: 'legacy' });
    const listTools = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`;
    server.holdReading();

    // About 35 MB of answers.
    server.write(Array.from({ length: 5_000 }, (_, id) => listTools(id)).join(''));
    server.endInput();
    const exit = await server.exited;

    expect(exit).toEqual({ code: 0, signal: null });
  });
});
