import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { expect, it, vi } from 'vitest';
import { startBareSession } from './bare-session.js';
import { FAULTY_CLI_PATH, faultyCli, type FaultyMode } from './faulty-cli-env.js';
import { startBackstage } from './fixture.js';

const START = ['command_lifecycle', 'system/init'];

async function startFaulty(mode: FaultyMode, options: Options = {}) {
  const { sandbox } = await startBackstage();
  const log = join(sandbox.root, 'faulty-cli.log');
  const session = startBareSession({
    cwd: sandbox.project,
    env: { ...sandbox.env(), ...faultyCli(mode, { count: 3000, log }) },
    pathToClaudeCodeExecutable: FAULTY_CLI_PATH,
    ...options,
  });
  return { session, log };
}

/** Runs one prompt until the process exits. Returns the messages and the error of the SDK. */
async function run(mode: FaultyMode, options: Options = {}) {
  const { session } = await startFaulty(mode, options);
  session.send('go');
  session.end();
  const error = await session.ended;
  return { kinds: session.messages.map(kindOf), messages: session.messages, error: error?.message };
}

function kindOf(message: SDKMessage): string {
  if (typeof message !== 'object' || Array.isArray(message)) return JSON.stringify(message);
  return 'subtype' in message && message.type === 'system'
    ? `system/${message.subtype}`
    : `${message.type as unknown as string | null}`;
}

it('runs a successful turn', async () => {
  const { kinds, messages, error } = await run('ok');

  expect([kinds, error]).toEqual([[...START, 'assistant', 'result'], undefined]);
  expect(messages.at(-1)).toMatchObject({
    result: 'All good.',
    is_error: false,
    user_message_uuids: [expect.any(String)],
  });
});

it.each<[FaultyMode, string[], string | undefined]>([
  ['exit-at-once', [], 'Claude Code process exited with code 1. stderr: faulty-cli: cannot start here'],
  [
    'crash-mid-turn',
    [...START, 'assistant'],
    'Claude Code process exited with code 1. stderr: faulty-cli: out of luck',
  ],
  ['kill-self-mid-turn', [...START, 'assistant'], 'Claude Code process terminated by signal SIGKILL'],
  ['exit-without-result', [...START, 'assistant'], undefined],
  ['json-null', START, "Cannot read properties of null (reading 'type')"],
  [
    'empty-control-response',
    [...START, 'assistant'],
    "Cannot read properties of undefined (reading 'request_id')",
  ],
])('ends early: %s', async (mode, expectedKinds, expectedError) => {
  const { kinds, error } = await run(mode);

  expect([kinds, error]).toEqual([expectedKinds, expectedError]);
});

it.each<[FaultyMode, string[]]>([
  ['garbage', [...START, 'assistant', 'result']],
  ['garbage-only', []],
  ['silent', []],
  ['silent-after-initialize', []],
  ['late-result', [...START, 'result', 'assistant', 'result']],
  ['double-result', [...START, 'assistant', 'result', 'result']],
])('yields only readable messages: %s', async (mode, expectedKinds) => {
  const { kinds, error } = await run(mode);

  expect([kinds, error]).toEqual([expectedKinds, undefined]);
});

it('yields a message in pieces, a message of five megabytes, and thousands of messages', async () => {
  const [pieces, huge, flood] = await Promise.all([run('half-line'), run('huge-line'), run('flood')]);

  expect(pieces?.messages[2]).toMatchObject({ message: { content: [{ text: 'Grüße, 世界 🌍' }] } });
  expect(JSON.stringify(huge?.messages[2]).length).toBeGreaterThan(5_000_000);
  expect(flood?.kinds.filter((kind) => kind === 'assistant')).toHaveLength(3000);
  expect(flood?.messages.at(-1)).toMatchObject({ result: 'Sent 3000 events.' });
});

it('passes on unknown types, and JSON that is not a message', async () => {
  const { kinds, error } = await run('unknown-types');

  expect(error).toBeUndefined();
  expect(kinds.slice(0, 10)).toEqual([
    'hologram',
    'system/weather_report',
    'assistant',
    'user',
    'stream_event',
    'null',
    'undefined',
    '[]',
    '42',
    '"a lonely string"',
  ]);
  expect(kinds.at(-1)).toBe('result');
});

it('sends dialogs and elicitations, and includes their answers in its result', async () => {
  const dialog = await run('dialog', { onUserDialog: async () => ({ behavior: 'cancelled' }) });
  const elicitation = await run('elicitation', {
    onElicitation: async ({ serverName }) => ({ action: 'accept', content: { name: serverName } }),
  });
  const { session } = await startFaulty('elicitation');
  const declined = await session.turn('go');
  session.end();

  expect([dialog.messages.at(-1), elicitation.messages.at(-1), declined].map(answerIn)).toEqual([
    { behavior: 'cancelled' },
    { action: 'accept', content: { name: 'nested' } },
    { action: 'decline' },
  ]);
});

it('switches to another session like /clear', async () => {
  const { kinds, messages } = await run('clear', { sessionId: '11111111-1111-4111-8111-111111111111' });

  expect(kinds).toEqual(['conversation_reset', ...START, 'result']);
  expect(messages[0]).toMatchObject({ session_id: '11111111-1111-4111-8111-111111111111' });
  expect(messages[3]?.session_id).toBe(messages[2]?.session_id);
  expect(messages[3]?.session_id).not.toBe(messages[0]?.session_id);
});

it('can be interrupted unless it refuses', async () => {
  const { session } = await startFaulty('dialog', { onUserDialog: () => new Promise(() => {}) });
  const result = session.turn('go');
  await session.find(({ type }) => type === 'system');
  const receipt = await session.query.interrupt();

  expect(receipt).toEqual({ still_queued: [] });
  expect(await result).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
  session.end();
});

it('ignores interrupt, end of input and SIGTERM', async () => {
  const { session, log } = await startFaulty('ignores-interrupt');
  session.send('go');
  await session.find(({ type }) => type === 'assistant');
  const [first] = entries(log);
  const pid = Number(first?.['pid']);
  const interrupted = session.query.interrupt().then(
    () => 'answered',
    () => 'never answered',
  );
  session.end();
  process.kill(pid, 'SIGTERM');
  await vi.waitFor(() =>
    expect(entries(log)).toEqual(expect.arrayContaining([{ inputEnded: true }, { ignored: 'SIGTERM' }])),
  );
  process.kill(pid, 'SIGKILL');

  expect(await interrupted).toBe('never answered');
  expect(await session.ended).toMatchObject({ message: 'Claude Code process terminated by signal SIGKILL' });
});

function entries(log: string): readonly Record<string, unknown>[] {
  return readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function answerIn(message: SDKMessage | undefined): unknown {
  return message?.type === 'result' && message.subtype === 'success'
    ? JSON.parse(message.result).response
    : undefined;
}
