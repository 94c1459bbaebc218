import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startBareSession, type BareSession } from './bare-session.js';
import { startBackstage } from './fixture.js';
import { createGate } from './gate.js';
import { apiError, gate, say, stall, streamThenHang, text, thinking, tool, tools } from './model-steps.js';

// A cold start of Claude Code takes half a second on an idle machine, and many times that on a busy one.
vi.setConfig({ testTimeout: 30_000 });

async function startSessions() {
  const { model, sandbox } = await startBackstage();
  const start = (options: Parameters<typeof startBareSession>[0] = {}): BareSession =>
    startBareSession({
      cwd: sandbox.project,
      env: sandbox.env(model),
      canUseTool: async (_name, input) => ({ behavior: 'allow', updatedInput: input }),
      ...options,
    });
  return { model, sandbox, start };
}

async function finish(...sessions: readonly BareSession[]): Promise<void> {
  for (const session of sessions) session.end();
  await Promise.all(sessions.map((session) => session.ended));
}

it('plays a script to the real Claude Code: text, permissions, results, and the same prompt twice', async () => {
  const { model, sandbox, start } = await startSessions();
  const asked: string[] = [];
  model.when('make the file', [
    thinking(
      'A file is wanted.',
      say('I will.', tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' })),
    ),
    tools([tool('Bash', { command: 'touch b.txt' }), tool('Bash', { command: 'touch c.txt' })]),
    text('done', { deltas: 3, usage: { input: 2000, output: 10 } }),
  ]);

  const session = start({
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  const first = await session.turn('please make the file');
  const second = await session.turn('please make the file');
  const third = await session.turn('something else');
  await finish(session);

  expect(first).toMatchObject({
    result: 'done',
    is_error: false,
    usage: { input_tokens: 4000, output_tokens: 50 },
  });
  expect([second, third]).toMatchObject([{ result: 'done' }, { result: 'ok' }]);
  expect(JSON.stringify(session.messages)).toContain('"thinking":"A file is wanted."');
  expect(asked).toEqual(['Write', 'Bash', 'Bash', 'Write', 'Bash', 'Bash']);
  expect(['a.txt', 'b.txt', 'c.txt'].every((name) => existsSync(join(sandbox.project, name)))).toBe(true);
  expect(model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
    ['please make the file', 1],
    ['please make the file', 1],
    ['please make the file', 1],
    ['please make the file', 2],
    ['please make the file', 2],
    ['please make the file', 2],
    ['something else', 1],
  ]);
  expect(model.unexpected).toEqual([]);
});

it('keeps the scripts of concurrent sessions apart, and holds a turn at a gate', async () => {
  const { model, start } = await startSessions();
  const held = createGate();
  model.when('count', [tool('Bash', { command: 'echo 1' }), gate(held, text('counted'))]);
  model.when('hello', [text('hi')]);

  const [one, two] = [start(), start()];
  const counting = [one.turn('count, one'), two.turn('count, two')];
  await held.reached;
  const reachedBeforeOpen = one.messages.concat(two.messages).filter(({ type }) => type === 'result');
  held.open();
  const results = await Promise.all(counting);
  const greeting = await one.turn('hello');
  await finish(one, two);

  expect(reachedBeforeOpen).toEqual([]);
  expect(results).toMatchObject([{ result: 'counted' }, { result: 'counted' }]);
  expect(greeting).toMatchObject({ result: 'hi' });
  expect(model.requests(results[0]?.session_id).map(({ promptText }) => promptText)).toEqual([
    'count, one',
    'count, one',
    'hello',
  ]);
});

it('sends API errors, is interrupted, and continues after both, even after a resume', async () => {
  const { model, start } = await startSessions();
  model.when('fail', [apiError(529, 'overloaded_error', 'Overloaded')]);
  model.when('stream', [streamThenHang('one two three')]);
  model.when('stall', [stall()]);
  model.when('go on', [text('went on')]);

  const session = start({ includePartialMessages: true });
  const failed = await session.turn('fail');
  const streaming = session.turn('stream');
  const request = await model.request(({ promptText }) => promptText === 'stream');
  await session.find((message) => JSON.stringify(message).includes('text_delta'));
  await session.query.interrupt();
  const interrupted = await streaming;
  const stalling = session.turn('stall');
  await model.request(({ promptText }) => promptText === 'stall');
  await session.query.interrupt();
  const stopped = await stalling;
  const after = await session.turn('go on');
  await finish(session);
  const resumed = start({ resume: after.session_id });
  const again = await resumed.turn('go on');
  await finish(resumed);

  expect(failed).toMatchObject({ is_error: true, api_error_status: 529 });
  expect([interrupted, stopped]).toMatchObject([
    { is_error: true, terminal_reason: 'aborted_streaming' },
    { is_error: true, terminal_reason: 'aborted_streaming' },
  ]);
  expect(await request.ended).toBe('aborted');
  expect([after, again]).toMatchObject([{ result: 'went on' }, { result: 'went on' }]);
  expect(model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
    ['fail', 1],
    ['stream', 1],
    ['stall', 1],
    ['go on', 1],
    ['go on', 2],
  ]);
});

it('routes steering, subagents and task notifications to the right script', async () => {
  const { model, start } = await startSessions();
  const held = createGate();
  model.when('work', [
    gate(held, tool('Bash', { command: 'echo meanwhile' })),
    ({ folded }) => text(folded.some((words) => words.includes('hurry')) ? 'hurried' : 'heard nothing'),
  ]);
  model.when('delegate', [
    tool('Agent', { description: 'd', prompt: 'look around', subagent_type: 'general-purpose' }),
    text('delegated'),
  ]);
  model.when('look around', [tool('Bash', { command: 'echo looking' }), text('nothing to see')]);
  model.when('<task-notification', [text('noticed')]);

  const session = start();
  const working = session.turn('work');
  await held.reached;
  const steering = session.send('hurry');
  await session.find((message) => 'state' in message && JSON.stringify(message).includes(steering));
  held.open();
  const worked = await working;
  const delegated = await session.turn('delegate');
  const noticed = await session.find((message) => message.type === 'result' && 'origin' in message);
  await finish(session);

  expect(worked).toMatchObject({ result: 'hurried' });
  expect(delegated).toMatchObject({ result: 'delegated' });
  expect(noticed).toMatchObject({ result: 'noticed', origin: { kind: 'task-notification' } });
  expect(model.requests().flatMap((request) => (request.agentId ? [request.promptText] : []))).toEqual([
    'look around',
    'look around',
  ]);
});
