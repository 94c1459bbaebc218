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

describe('a line of input', () => {
  it.each([
    ['a message over 10 MiB', callOf(limit + 100_000)],
    ['10 MiB without a newline', Buffer.alloc(limit + 100_000, 'x')],
  ])('ends the server and its sessions with an error: %s', async (_name, bytes) => {
    const scene = await startScene({ era: 'legacy' });
    const { server, sandbox } = scene;
    await startWorking(scene);

    server.write(bytes);
    const exit = await server.exited;

    expect(exit).toEqual({ code: 1, signal: null });
    expect(sandbox.processes()).toEqual([]);
    expect(server.stdout()).toContain('"error":{"code":-32600,"message":"A message is longer than 10 MiB.');
    expect(server.stderr().match(/longer than 10 MiB/g)).toHaveLength(1);
  });

  it('is answered up to exactly 10 MiB, also when another follows at once', async () => {
    const { server } = await startScene({ era: 'legacy' });

    server.write(callOf(limit) + callOf(limit));
    await until('both are answered', () => (server.stdout().match(/"id":"long"/g) ?? []).length === 2);
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(server.stdout()).toContain('is longer than 1048576 characters');
    expect(list.json.sessions).toEqual([]);
  });

  it('is skipped when it is no message, and the next one is answered', async () => {
    const { server } = await startScene({ era: 'legacy' });

    server.write(Uint8Array.from([0, 255, 254, 10, 192, 128, 10]));
    server.write(`${'['.repeat(200_000)}\n${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`);
    server.write('\n\n{"jsonrpc":"2.0"}\n[]\nnull\n"text"\n');
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(list.json.sessions).toEqual([]);
    expect(server.strayLines()).toEqual([]);
  });
});
