import { describe, expect, it } from 'vitest';
import { shrinking } from '../../../src/core/view.js';
import { MessageFeed } from '../../../src/toolsets/query/message-feed.js';
import { queryVocabulary } from '../../../src/toolsets/query/vocabulary.js';
import { QueryRun } from '../../../src/toolsets/query/query-run.js';
import { plainCaller } from '../../kit/callers.js';
import { viewText } from '../../kit/view-text.js';
import { FakeApprover } from '../../inputs/people-scene.js';
import { createQueryScene, messageOf, resultOf } from './query-scene.js';

function isOpen(answer: Promise<unknown>): Promise<boolean> {
  const open = new Promise<boolean>((resolve) => setImmediate(() => resolve(true)));
  return Promise.race([answer.then(() => false), open]);
}

const timedOut = expect.objectContaining({ success: false, timedOut: true });

describe('the clock of a query', () => {
  it('stands still while a person is asked', async () => {
    const approver = new FakeApprover('somebody');
    const { begin, clock } = await createQueryScene([approver]);
    const { answer, process } = await begin({ timeoutMs: 10_000 });

    clock.advance(9_000);
    const asked = process.ask();
    clock.advance(60_000);
    approver.shown[0]?.reply({ action: 'accept', content: { decision: 'allow' } });
    const { decision } = await asked;
    const wasOpen = await isOpen(answer);
    clock.advance(999);
    const interruptsBefore = process.interrupts;
    clock.advance(1);
    process.result({ outcome: 'interrupted' });

    expect(decision).toBe('allow');
    expect(wasOpen).toBe(true);
    expect(interruptsBefore).toBe(0);
    expect(resultOf(await answer)).toEqual(timedOut);
  });

  it('starts when Claude Code is ready', async () => {
    const { query, backend, clock } = await createQueryScene();
    const answer = query({ timeoutMs: 5_000 });
    const process = await backend.process(0);
    await process.prompt(0);

    clock.advance(9_000);
    const interruptsBefore = process.interrupts;
    process.init();
    await clock.pass(5_000);
    process.result({ outcome: 'interrupted' });

    expect(interruptsBefore).toBe(0);
    expect(resultOf(await answer)).toEqual(timedOut);
  });

  it('leaves nothing behind when the query is over', async () => {
    const { begin, clock } = await createQueryScene();
    const { answer, process } = await begin();

    process.result();
    await answer;
    clock.advance(300_000);

    expect(process.interrupts).toBe(0);
  });
});

describe('the end of a query', () => {
  it('comes when the subagents in the background have been heard', async () => {
    const { begin } = await createQueryScene();
    const { answer, process } = await begin();

    process.signal({ type: 'tasks', tasks: [{ taskId: 't0', text: 'work', isAgent: true }] });
    process.result({ result: 'I have asked another.' });
    const wasOpen = await isOpen(answer);
    process.signal({ type: 'tasks', tasks: [] });
    process.activity('running');
    process.unsolicitedResult({ result: 'It says yes.' });

    expect(wasOpen).toBe(true);
    expect(resultOf(await answer)).toEqual({
      success: true,
      summary: 'It says yes.',
      startedBy: 'claude_code',
    });
  });

  it('comes when a subagent has been heard, although a shell goes on', async () => {
    const { begin } = await createQueryScene();
    const { answer, process } = await begin();
    const shell = { taskId: 't1', text: 'npm run dev' };

    process.signal({ type: 'tasks', tasks: [{ taskId: 't0', text: 'work', isAgent: true }, shell] });
    process.result({ result: 'I have asked another.' });
    process.signal({ type: 'tasks', tasks: [shell] });
    const wasOpen = await isOpen(answer);
    process.activity('running');
    process.unsolicitedResult({ result: 'It says yes.' });

    expect(wasOpen).toBe(true);
    expect(resultOf(await answer)).toMatchObject({ summary: 'It says yes.' });
  });

  it('comes when a subagent has been heard that ended while Claude wrote its answer', async () => {
    const { begin } = await createQueryScene();
    const { answer, process } = await begin();

    process.signal({ type: 'tasks', tasks: [{ taskId: 't0', text: 'work', isAgent: true }] });
    process.signal({ type: 'tasks', tasks: [] });
    process.result({ result: 'I have asked another.' });
    const wasOpen = await isOpen(answer);
    process.init();
    process.unsolicitedResult({ result: 'It says yes.' });

    expect(wasOpen).toBe(true);
    expect(resultOf(await answer)).toMatchObject({ summary: 'It says yes.' });
  });

  it('does not wait for a shell in the background', async () => {
    const { begin } = await createQueryScene();
    const { answer, process } = await begin();

    process.signal({ type: 'tasks', tasks: [{ taskId: 't0', text: 'npm run dev' }] });
    process.result({ result: 'It runs.' });

    expect(resultOf(await answer)).toEqual({ success: true, summary: 'It runs.' });
    expect(process.isStopping).toBe(false);
  });

  it('is the time limit when a subagent does not come back, and stops it', async () => {
    const { begin, clock } = await createQueryScene();
    const { answer, process } = await begin({ timeoutMs: 10_000 });

    process.signal({ type: 'tasks', tasks: [{ taskId: 't0', text: 'work', isAgent: true }] });
    process.result({ result: 'I have asked another.' });
    clock.advance(10_000);

    expect(resultOf(await answer)).toEqual(timedOut);
    expect(process.hasExited).toBe(true);
  });

  it('is a message of its own when it is an error', async () => {
    const { begin, notices } = await createQueryScene();
    const { answer, process } = await begin();

    process.say({ type: 'assistant' });
    process.exit({ reason: 'Claude Code exited with code 1' });
    await answer;

    expect(notices.map(({ level, data }) => [level, (data as { sequence: number }).sequence])).toEqual([
      ['info', 1],
      ['error', 2],
    ]);
    expect(messageOf(notices[1] ?? { level: 'info', logger: '', data: {} })).toMatchObject({
      type: 'error',
      error: 'crashed',
    });
  });
});

describe('a query that is over', () => {
  it('answers every call with what the first one sent, and keeps no messages for that', async () => {
    const { manager, backend, clock } = await createQueryScene();
    const settings = {
      clock,
      startedAt: 0,
      limitMs: 10_000,
      isLimitCut: false,
      isLimitLongest: false,
      maxMessages: 10,
      includeSystemMessages: true,
      vocabulary: queryVocabulary(undefined),
    };
    const runs: QueryRun[] = [];
    const started = manager.start('go', {}, plainCaller, {
      prepare: (session) => void runs.push(new QueryRun(session, new MessageFeed(), settings)),
    });
    const process = await backend.process(0);
    await process.prompt(0);
    process.init();
    process.say({ type: 'assistant', text: 'hello' });
    await started;
    const [run] = runs;
    if (run === undefined) throw new Error('there is no query');
    const tooLong = { text: 'x'.repeat(8_000) };
    const view = shrinking((room) => (room > 6_000 ? tooLong : { room, messages: run.messages.all }));

    const answers = [viewText(run.answer(view)), viewText(run.answer(view))];

    expect(answers[0]).toContain('hello');
    expect(answers[1]).toBe(answers[0]);
    expect(run.messages).toMatchObject({ all: [], total: 1 });
    run.leave();
  });
});

describe('a query that was cancelled', () => {
  it('is over, and says so to a call that comes back to it', async () => {
    const { begin, query } = await createQueryScene();
    const caller = { ...plainCaller, canAskPerson: true };
    const cancel = new AbortController();
    const { answer, process } = await begin({}, { caller, canReturnForm: true });
    const asked = process.ask();
    const first = await answer;
    if (!('form' in first)) throw new Error('there is no form');
    const returned = { state: first.state, reply: { action: 'cancel' } as const };

    const second = query({}, { caller, canReturnForm: true, returned, signal: cancel.signal });
    await asked;
    cancel.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    const third = await query({}, { caller, canReturnForm: true, returned });

    expect(process.hasExited).toBe(true);
    expect(resultOf(third)).toMatchObject({ success: false, error: expect.stringMatching(/^interrupted/) });
  });
});

it('a failure and its next step are two sentences', async () => {
  const { begin } = await createQueryScene();
  const { answer, process } = await begin();

  process.result({
    outcome: 'failed',
    errorSubtype: 'max_turns',
    result: 'Reached maximum number of turns (2)',
  });

  expect(resultOf(await answer)).toMatchObject({
    error: expect.stringMatching(/^max_turns: Reached maximum number of turns \(2\)\. [A-Z]/),
  });
});

describe('what Claude asks in a query', () => {
  it('is denied when the client has been asked eight times in one call', async () => {
    const { begin, query } = await createQueryScene();
    const caller = { ...plainCaller, canAskPerson: true };
    const { answer, process } = await begin({}, { caller, canReturnForm: true });
    const asked = process.ask();
    const first = await answer;
    if (!('form' in first)) throw new Error('there is no form');
    const returned = {
      state: { ...first.state, round: 8 },
      reply: { action: 'cancel' } as const,
    };

    const second = query({}, { caller, canReturnForm: true, returned });
    const denied = await asked;
    process.result();

    expect(denied).toMatchObject({
      decision: 'deny',
      message: expect.stringContaining('asked the person 8 times'),
    });
    expect(resultOf(await second)).toEqual({ success: true, summary: 'done' });
  });
});
