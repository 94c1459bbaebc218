import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallbackServer, type AnswerQuestion } from '../../../src/backends/cli/permission/callback-server.js';
import { serveScript } from '../../../src/backends/cli/permission/script.js';

const ask = { tool_name: 'Bash', input: { command: 'touch a' }, tool_use_id: 'toolu_1' };

/** The script with its streams in hand, before a callback that answers so. */
async function startScript(answer: AnswerQuestion, changes: { token?: string } = {}) {
  const registration = await new CallbackServer().register('one', answer);
  const { port, token } = registration;
  const close = (): void => registration.close();
  const [input, output] = [new PassThrough(), new PassThrough()];
  onTestFinished(() => {
    input.end();
    close();
  });
  const said: Record<string, unknown>[] = [];
  output.on('data', (line: Buffer) => said.push(JSON.parse(line.toString()) as Record<string, unknown>));
  serveScript({ input, output, version: '1', port: String(port), token, sessionId: 'one', ...changes });
  const send = (message: object): void => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const call = (id: number, meta: object = {}): void =>
    send({ id, method: 'tools/call', params: { name: 'permission_check', arguments: ask, _meta: meta } });
  return { input, send, call, said, close };
}

function verdictOf(message: Record<string, unknown> | undefined): unknown {
  const { content } = (message?.['result'] ?? {}) as { content?: [{ text: string }] };
  return content && JSON.parse(content[0].text);
}

const allow = { behavior: 'allow', updatedInput: ask.input };

describe('the permission script', () => {
  it('is an MCP server with one tool, which returns the answer of the callback', async () => {
    const questions: unknown[] = [];
    const { send, call, said } = await startScript(async (question) => {
      questions.push(question);
      return allow;
    });

    send({ id: 'probe', method: 'server/discover', params: {} });
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
    send({ method: 'notifications/initialized' });
    send({ id: 1, method: 'tools/list' });
    call(2);
    await vi.waitFor(() => expect(said).toHaveLength(4));

    expect(said.slice(0, 3)).toMatchObject([
      { id: 'probe', error: { code: -32601 } },
      { id: 0, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'perm' } } },
      { id: 1, result: { tools: [{ name: 'permission_check' }] } },
    ]);
    expect(verdictOf(said[3])).toEqual(allow);
    expect(questions).toEqual([{ sessionId: 'one', ...ask }]);
  });

  it.each<[string, { token?: string }]>([['refuses it', { token: 'wrong' }]])(
    'denies when the callback %s',
    async (_name, changes) => {
      const { call, said } = await startScript(async () => allow, changes);

      call(1);
      await vi.waitFor(() => expect(said).toHaveLength(1));

      expect(verdictOf(said[0])).toEqual({
        behavior: 'deny',
        message: 'Denied, because the approver could not be asked (the server answered 401).',
      });
    },
  );

  it('denies when no server listens, and when the call is malformed', async () => {
    const { send, call, said, close } = await startScript(async () => allow);
    close();

    call(1);
    send({ id: 2, method: 'tools/call', params: { name: 'another_tool' } });
    await vi.waitFor(() => expect(said).toHaveLength(2));

    expect(said.map(verdictOf)).toMatchObject([{ behavior: 'deny' }, { behavior: 'deny' }]);
  });

  it('survives lines that are not messages', async () => {
    const { input, send, said } = await startScript(async () => allow);

    input.write('garbage\n[1,2]\nnull\n\n{"jsonrpc":"2.0"}\n');
    send({ id: 1, method: 'ping' });
    await vi.waitFor(() => expect(said).toHaveLength(1));

    expect(said).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('forwards inputs with Unicode line separators unchanged', async () => {
    const inputs: unknown[] = [];
    const { send, said } = await startScript(async ({ input }) => {
      inputs.push(input);
      return allow;
    });
    const input = { command: 'echo a\u2028b\u2029c\u0085d' };

    send({
      id: 1,
      method: 'tools/call',
      params: { name: 'permission_check', arguments: { ...ask, input } },
    });
    await vi.waitFor(() => expect(said).toHaveLength(1));

    expect(inputs).toEqual([input]);
    expect(verdictOf(said[0])).toEqual(allow);
  });

  it('withdraws the question that Claude Code cancels, and no other', async () => {
    const signals: AbortSignal[] = [];
    const { send, call, said } = await startScript((_question, signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(allow));
      });
    });
    call(1);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    call(2);
    await vi.waitFor(() => expect(signals).toHaveLength(2));

    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));

    expect(signals[1]?.aborted).toBe(false);
    expect(said).toEqual([]);
  });

  it('sends progress while a person decides, if Claude Code requests it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let open = 0;
    const { call, said } = await startScript(() => {
      open += 1;
      return new Promise(() => undefined);
    });
    call(1, { progressToken: 7 });
    call(2);
    await vi.waitFor(() => expect(open).toBe(2));

    vi.advanceTimersByTime(20_000);

    expect(said).toMatchObject(
      [1, 2].map((progress) => ({
        method: 'notifications/progress',
        params: { progressToken: 7, progress },
      })),
    );
  });
});
