/** An hour of supervision: a session of a fake Claude Code, the whole server in this process, and a fake clock. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createApp } from '../../src/app/app.js';
import { loadSettings } from '../../src/config/load.js';
import type { AnswerJson } from './answer-json.js';
import { FakeBackend, type FakeProcess } from './fake-backend.js';
import { FakeClock } from './fake-clock.js';
import { configInProcess, liveServers } from './in-process.js';
import { createSandbox } from './sandbox.js';
import { NEGOTIATION, toReply } from './server-client.js';
import type { StatusJson } from './sessions-moves.js';

export interface HourCost {
  readonly calls: number;
  /** Of the texts of all results. */
  readonly bytes: number;
  readonly approvals: number;
}

export interface HourClient {
  readonly name: string;
  readonly version: string;
  /** The longest wait that the server grants it. */
  readonly waitMs: number;
}

const minuteMs = 60_000;
const endsAt = 60 * minuteMs;
const asksAt = [7, 19, 43].map((minute) => minute * minuteMs);

/** Waits as long as the client allows, and does only what the last answer asks for. */
export function hourOfWaiting(client: HourClient): Promise<HourCost> {
  return withHour(client, 'async', async ({ call, clock, begin, pass, untilNews }) => {
    /** Calls a tool that waits, and lets time pass until it answers. */
    const wait = async (name: string, args: object): Promise<AnswerJson> => {
      const waiting = clock.scheduled(client.waitMs);
      const answering = call<AnswerJson>(name, { ...args, waitMs: 300_000 });
      if (name === 'claude_code') await begin();
      await waiting;
      await pass(Math.min(client.waitMs, untilNews()));
      return answering;
    };
    let answer = await wait('claude_code', { prompt: 'Migrate the tests' });
    const { sessionId } = answer;
    while (answer.result === undefined) {
      const { actions: [action] = [], cursor } = answer;
      answer =
        action === undefined
          ? await wait('claude_code_check', { sessionId, cursor })
          : await wait('claude_code_respond', { requestId: action.requestId, decision: 'allow' });
    }
  });
}

/** Asks for the status every 30 seconds, as these tools recommend it: they do not wait. */
export function hourOfPolling(): Promise<HourCost> {
  const client = { name: 'some-client', version: '1.0.0' };
  return withHour(client, 'sessions', async ({ call, begin, pass }) => {
    const creating = call<StatusJson>('claude_create_session', { prompt: 'Migrate the tests' });
    await begin();
    const { sessionId } = await creating;
    let cursor: number | undefined;
    for (;;) {
      await pass(pollMs);
      const status = await call<StatusJson>('claude_get_status', { sessionId, cursor });
      ({ cursor } = status);
      if (status.status === 'completed') return;
      const [pending] = status.pendingInputs ?? [];
      if (pending !== undefined)
        await call('claude_respond', { sessionId, inputId: pending.inputId, decision: 'allow' });
    }
  });
}

const pollMs = 30_000;

interface Hour {
  readonly call: <T>(name: string, args: Record<string, unknown>) => Promise<T>;
  readonly clock: FakeClock;
  /** Claude Code has started. */
  readonly begin: () => Promise<void>;
  /** Lets time pass, and what happens meanwhile reach the disk: the disk does not know the fake clock. */
  readonly pass: (ms: number) => Promise<void>;
  /** The time until the next request or the result. */
  readonly untilNews: () => number;
}

async function withHour(
  client: Pick<HourClient, 'name' | 'version'>,
  toolset: string,
  supervise: (hour: Hour) => Promise<void>,
): Promise<HourCost> {
  const sandbox = createSandbox();
  const clock = new FakeClock();
  const backend = new FakeBackend();
  const { server, close } = await connect({ sandbox, clock, backend, client, toolset });
  const startedAt = clock.now();
  let [calls, bytes, approvals] = [0, 0, 0];
  const ask = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { text, isError } = toReply(
      await server.callTool({ name, arguments: args }, { onprogress: () => undefined }),
    );
    if (isError) throw new Error(text);
    return text;
  };
  /** Answers only when everything is on disk. */
  const list = (): Promise<string> =>
    toolset === 'async' ? ask('claude_code_session', { action: 'list' }) : ask('claude_list_sessions', {});
  const passedMs = (): number => clock.now() - startedAt;
  try {
    await supervise({
      clock,
      call: async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
        const text = await ask(name, args);
        calls += 1;
        bytes += Buffer.byteLength(text);
        return JSON.parse(text) as T;
      },
      pass: async (ms) => {
        for (let left = ms; left > 0;) {
          const step = Math.min(left, minuteMs - (passedMs() % minuteMs));
          // A call that answers at the end of this step finds everything before it on disk.
          clock.advance(step - 1);
          await list();
          clock.advance(1);
          left -= step;
          // A request has to get through the gate before the session waits.
          if ([...asksAt, endsAt].includes(passedMs())) while ((await list()).includes('"running"'));
        }
      },
      begin: async () => {
        const process = await backend.process(0);
        await process.prompt(0);
        process.init();
        play(process, clock, () => void (approvals += 1));
      },
      untilNews: () => ([...asksAt, endsAt].find((at) => at > passedMs()) ?? endsAt) - passedMs(),
    });
    return { calls, bytes, approvals };
  } finally {
    await close();
    await sandbox.remove();
  }
}

async function connect(parts: {
  readonly sandbox: ReturnType<typeof createSandbox>;
  readonly clock: FakeClock;
  readonly backend: FakeBackend;
  readonly client: Pick<HourClient, 'name' | 'version'>;
  readonly toolset: string;
}): Promise<{ readonly server: Client; readonly close: () => Promise<void> }> {
  const { sandbox, clock, backend, client, toolset } = parts;
  const environment = { ...sandbox.env(), CLAUDE_CODE_MCP_TOOLSETS: toolset };
  const { settings } = loadSettings({}, environment);
  const { config } = await configInProcess({ settings, environment, sandbox, clock });
  const { servers, vanished } = liveServers();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const app = await createApp(config, {
    clock,
    servers,
    openBackend: async () => backend,
    serve: (factory) => {
      const handle = serveStdio(factory, { transport: theirs });
      return { ended: new Promise(() => undefined), close: () => handle.close() };
    },
  });
  app.start();
  const server = new Client(
    { name: client.name, version: client.version },
    { versionNegotiation: NEGOTIATION.modern },
  );
  await server.connect(ours);
  const close = async (): Promise<void> => {
    await server.close();
    await app.close();
    vanished();
  };
  return { server, close };
}

/** Every minute Claude says what it found and runs the next command. Three of them need an approval. */
function play(process: FakeProcess, clock: FakeClock, onApproved: () => void): void {
  const run = (minute: number): void => {
    if (minute > 1) {
      process.event({ type: 'tool_result', toolUseId: `t${minute - 1}`, isError: false, text: 'ok' });
      process.event({ type: 'text', text: `Part ${minute - 1} passes now. I continue with the next part.` });
    }
    if (minute === 60) {
      process.result({ result, durationMs: endsAt, numTurns: 60, costUsd: 1.25 });
      return;
    }
    const command = `npm test -- part-${minute}`;
    const toolUseId = `t${minute}`;
    process.event({ type: 'tool_use', toolUseId, toolName: 'Bash', summary: `Bash: ${command}` });
    if (asksAt.includes(minute * minuteMs)) void request(process, { command, toolUseId }).then(onApproved);
    clock.after(minuteMs, () => run(minute + 1));
  };
  clock.after(minuteMs, () => run(1));
}

async function request(
  process: FakeProcess,
  { command, toolUseId }: { readonly command: string; readonly toolUseId: string },
): Promise<void> {
  const description = 'Run the tests of this part';
  const { decision } = await process.ask({
    toolUseId,
    input: { command, description },
    claudeSays: description,
    reason: 'This command requires approval',
    suggestedRules: ['Bash(npm test *)'],
  });
  if (decision !== 'allow') throw new Error('a request of the hour was denied');
}

const result =
  'All 59 parts of the test suite now run on the new runner. Three of them needed a change in the set-up file, which I made after your approval. Nothing is left to do, except to delete the old configuration, which I kept for comparison.';
