import type { AnswerRights } from '../../../src/inputs/present.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrinking } from '../../../src/core/view.js';
import { maxResultChars } from '../../../src/mcp/render.js';
import { noMeter } from '../../../src/core/observability/measurements.js';
import { EventLog } from '../../../src/events/event-log.js';
import type { Session } from '../../../src/session/session.js';
import { sessionsVocabulary } from '../../../src/toolsets/sessions/vocabulary.js';
import { laterView, statusView } from '../../../src/toolsets/sessions/status-view.js';
import { carriedChars, viewText } from '../../kit/view-text.js';
import { createScene, reply, startedScene } from '../../session/session-scene.js';
import type { StatusJson } from '../../kit/sessions-moves.js';

function textOf(session: Session, outputLines: number, rights: AnswerRights): string {
  return viewText(shrinking(statusView(session.view, { outputLines, rights, words: sessionsVocabulary })));
}

function viewOf(session: Session, outputLines = 50, rights: AnswerRights = 'all'): StatusJson {
  return JSON.parse(textOf(session, outputLines, rights)) as StatusJson;
}

function laterOf(session: Session, cursor: number): StatusJson {
  const request = { cursor, outputLines: 50, rights: 'all', words: sessionsVocabulary } as const;
  return JSON.parse(viewText(shrinking(laterView(session.view, request)))) as StatusJson;
}

function toolUse(toolUseId: string, toolName: string) {
  return { type: 'tool_use', toolUseId, toolName, summary: toolName } as const;
}

function toolResult(toolUseId: string) {
  return { type: 'tool_result', toolUseId, isError: false, text: '' } as const;
}

/** Texts that JSON makes two to six times longer, and characters that must not be cut in half. */
const nasty = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', '😀', '\u202e'), minLength: 1 }),
    fc.nat(1_000),
  )
  .map(([unit, times]) => unit.repeat(times));

const anyStory = fc.record({
  result: nasty,
  outcome: fc.constantFrom('completed', 'interrupted', 'failed'),
  texts: fc.array(nasty, { maxLength: 10 }),
  inputs: fc.array(fc.dictionary(fc.string(), nasty, { maxKeys: 3 }), { maxLength: 12 }),
  tools: fc.array(nasty, { maxLength: 60 }),
  outputLines: fc.nat(10_000),
} as const);

describe('the status of a session', () => {
  it('after a cursor names the call that reads all output if it has not all new lines', async () => {
    const { session, process } = await startedScene();
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, line) => `line ${line}`).join('\n');
    process.event({ type: 'text', text: 'first' });
    const { cursor = 0 } = viewOf(session);

    process.event({ type: 'text', text: lines(50) });
    const all = laterOf(session, cursor);
    process.event({ type: 'text', text: 'one more' });
    const few = laterOf(session, cursor);

    expect(all).not.toHaveProperty('readMoreOutput');
    expect(few).toMatchObject({
      recentOutput: [...lines(50).split('\n').slice(1), 'one more'],
      readMoreOutput: `claude_get_status {"sessionId":"${session.id}","outputOffset":0}`,
    });
  });

  it('after a cursor has only what is new', async () => {
    const { session, process } = await startedScene();
    process.event({ type: 'text', text: 'first' });
    process.event(toolUse('t1', 'Bash'));
    process.event(toolUse('t2', 'Read'));
    const { cursor = 0 } = viewOf(session);

    const quiet = laterOf(session, cursor);
    process.event(toolResult('t1'));
    process.event({ type: 'text', text: 'second' });
    const busy = laterOf(session, cursor);
    process.result({ result: 'done' });
    const ended = laterOf(session, busy.cursor ?? 0);
    const over = laterOf(session, ended.cursor ?? 0);

    expect(quiet).toEqual({ status: 'running', cursor: 3 });
    expect(busy).toEqual({
      status: 'running',
      recentOutput: ['second'],
      toolUseEvents: [{ toolName: 'Bash', status: 'completed' }],
      cursor: 5,
    });
    expect(ended).toEqual({ status: 'completed', result: 'done', costUsd: 0.01, turnCount: 1, cursor: 6 });
    expect(over).toEqual({ status: 'completed', costUsd: 0.01, turnCount: 1, cursor: 6 });
  });

  it('after a cursor has every open request in full', async () => {
    const { session, process } = await startedScene();
    void process.ask({ input: { command: 'npm test' } });
    const { cursor = 0, pendingInputs } = viewOf(session);

    const later = laterOf(session, cursor);

    expect(pendingInputs).toHaveLength(1);
    expect(later).toEqual({ status: 'waiting_for_input', pendingInputs, cursor });
  });

  it('does not offer to read output that it has taken from the conversation, because its events are lost', () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 10_000 }, noMeter, { head: 5, events: [] });
    const { session } = createScene({ seed: { isRestored: true, log } });
    const request = {
      outputLines: 50,
      rights: 'all',
      words: sessionsVocabulary,
      earlierOutput: 'One.',
    } as const;

    const shown = JSON.parse(viewText(shrinking(statusView(session.view, request)))) as StatusJson;

    expect(shown).toMatchObject({ recentOutput: ['One.'], droppedEvents: 5 });
    expect(shown).not.toHaveProperty('readMoreOutput');
  });

  it('does not offer to read output that the caller may not read', () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 10_000 }, noMeter, { head: 5, events: [] });
    const { session } = createScene({ seed: { isRestored: true, isForeign: true, log } });

    const shown = viewOf(session);

    expect(shown).toMatchObject({ recentOutput: [], droppedEvents: 5 });
    expect(shown).not.toHaveProperty('readMoreOutput');
  });

  it('words a failed turn for the caller, to whom a service and a command give other names', async () => {
    const { session } = createScene({ dayLeftUsd: 0 });
    await session.start({ text: 'first' });
    const words = { ...sessionsVocabulary, setting: () => 'principals.alice.maxBudgetUsdPerDay' };
    const request = { outputLines: 50, rights: 'all', words } as const;

    const { error } = JSON.parse(viewText(shrinking(statusView(session.view, request)))) as StatusJson;

    expect(error).toContain('principals.alice.maxBudgetUsdPerDay');
  });

  it('shows the last 20 tool calls', async () => {
    const { session, process } = await startedScene();
    for (let index = 1; index <= 30; index += 1) process.event(toolUse(`t${index}`, `Tool${index}`));

    const { toolUseEvents, ...rest } = viewOf(session);

    expect(toolUseEvents.map(({ toolName }) => toolName)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Tool${index + 11}`),
    );
    expect(rest).toMatchObject({ moreToolUseEvents: 10 });
  });

  it('says that Claude Code began the last turn by itself', async () => {
    const { session, process } = await startedScene();
    process.result({ result: 'the answer' });
    const before = viewOf(session);
    process.activity('idle');
    process.activity('running');
    process.unsolicitedResult({ result: 'the task is done' });

    expect(before).toMatchObject({ result: 'the answer' });
    expect(before).not.toHaveProperty('startedBy');
    expect(viewOf(session)).toMatchObject({ result: 'the task is done', startedBy: 'claude_code' });
  });

  it('is JSON of at most 7,500 characters, whatever Claude has said, used and asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyStory,
        fc.constantFrom('all' as const, 'deny' as const, 'none' as const),
        async (story, rights) => {
          const { session, process } = await startedScene();
          for (const text of story.texts) process.event({ type: 'text', text });
          for (const [index, name] of story.tools.entries()) process.event(toolUse(`t${index}`, name));
          if (story.inputs.length === 0) process.result({ result: story.result, outcome: story.outcome });
          for (const input of story.inputs) void process.ask({ input, reason: story.result });

          const text = textOf(session, story.outputLines, rights);

          const view = JSON.parse(text) as StatusJson;
          expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
          expect(text).not.toMatch(/\p{Surrogate}/u);
          expect(view.sessionId).toBe(session.id);
          expect(view.pendingInputs.every(({ toolInput }) => typeof toolInput === 'object')).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('shows what became of each tool while the turn still runs', async () => {
    const { session, process, broker } = await startedScene();
    for (const [id, name] of [
      ['t1', 'Read'],
      ['t2', 'Bash'],
      ['t3', 'Write'],
    ] as const) {
      process.event(toolUse(id, name));
    }
    process.event(toolResult('t1'));
    void process.ask({ toolUseId: 't2' });
    void process.ask({ toolUseId: 't3', toolName: 'Write' });
    const [bash] = session.view.openInputs;
    broker.answer(bash?.requestId ?? '', { decision: 'deny', message: 'no', interrupt: false }, 'caller');

    const { status, toolUseEvents, pendingInputs } = viewOf(session);

    expect(status).toBe('waiting_for_input');
    expect(pendingInputs).toMatchObject([{ toolName: 'Write' }]);
    expect(toolUseEvents).toEqual([
      { toolName: 'Read', status: 'completed' },
      { toolName: 'Bash', status: 'denied' },
      { toolName: 'Write', status: 'running' },
    ]);
  });

  it('counts as running what a background task asks for after the turn that began it', async () => {
    const { session, process } = await startedScene();
    process.event(toolUse('t1', 'Bash'));
    process.result();
    void process.ask({ toolUseId: 't1' });

    expect(viewOf(session).toolUseEvents).toEqual([{ toolName: 'Bash', status: 'running' }]);
  });

  it('counts as running what a subagent does in the background, until it is done', async () => {
    const { session, process } = await startedScene();
    process.event({ ...toolUse('t1', 'Bash'), agent: 'a1' });
    process.event(toolUse('t2', 'Read'));
    process.signal({ type: 'tasks', tasks: [{ taskId: 'a1', text: 'look' }] });
    process.result();
    const during = viewOf(session).toolUseEvents;
    process.event(toolResult('t1'));

    expect(during).toEqual([
      { toolName: 'Bash', status: 'running' },
      { toolName: 'Read', status: 'completed' },
    ]);
    expect(viewOf(session).toolUseEvents).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  });

  it('takes what Claude Code itself has denied, and what was cut short, from the end of the turn', async () => {
    const { session, process } = await startedScene();
    process.event(toolUse('t1', 'WebFetch'));
    process.event(toolResult('t1'));
    process.event(toolUse('t2', 'Bash'));
    process.result({ outcome: 'interrupted', permissionDenials: [{ tool_use_id: 't1' }, 'odd', null] });

    expect(viewOf(session)).toEqual({
      sessionId: session.id,
      status: 'interrupted',
      recentOutput: [],
      pendingInputs: [],
      toolUseEvents: [
        { toolName: 'WebFetch', status: 'denied' },
        { toolName: 'Bash', status: 'completed' },
      ],
      costUsd: 0.01,
      turnCount: 1,
      cursor: 4,
    });
  });

  it('keeps what a rule has denied through later turns', async () => {
    const { session, process } = await startedScene();
    process.event(toolUse('t1', 'Bash'));
    process.event({ ...toolResult('t1'), isError: true, isDenied: true });
    const during = viewOf(session).toolUseEvents;
    process.result({ permissionDenials: [{ tool_use_id: 't1' }] });
    await reply(session, 'second');
    await process.prompt(1);
    process.result();

    expect(during).toEqual([{ toolName: 'Bash', status: 'denied' }]);
    expect(viewOf(session).toolUseEvents).toEqual([{ toolName: 'Bash', status: 'denied' }]);
  });

  it('counts the responses of the model from the first one on', async () => {
    const { session, process } = await startedScene();
    const counts = [viewOf(session).turnCount];
    process.answer('m1');
    process.answer('m1');
    counts.push(viewOf(session).turnCount);
    process.answer('m2');
    counts.push(viewOf(session).turnCount);
    process.result({ numTurns: 2 });
    counts.push(viewOf(session).turnCount);

    expect(counts).toEqual([undefined, 1, 2, 2]);
  });

  it.each(['max_turns', 'max_budget', 'time_limit'] as const)(
    'names nothing after %s that a message could not bring',
    async (errorSubtype) => {
      const { session, process } = await startedScene();
      process.result({ outcome: 'failed', errorSubtype, result: 'It ended.' });

      expect(viewOf(session).error).toMatch(/^It ended\. (Send another message|Start a new session)/);
    },
  );

  it('shows the last lines of Claude itself, and says how many it had no room for', async () => {
    const { session, process } = await startedScene();
    process.event({ type: 'text', text: 'of a subagent', agent: 'a1' });
    process.event({ type: 'text', text: 'one\n\n  two' });
    process.event({ type: 'text', text: 'three' });

    expect(viewOf(session).recentOutput).toEqual(['one', '  two', 'three']);
    expect(viewOf(session, 2).recentOutput).toEqual(['  two', 'three']);
    expect(viewOf(session, 0).recentOutput).toEqual([]);

    for (let index = 0; index < 30; index += 1) process.event({ type: 'text', text: 'x'.repeat(1_000) });
    const [note, ...lines] = viewOf(session).recentOutput;
    expect(note).toBe(`…[${33 - lines.length} lines hidden]…`);
    expect(lines.every((line) => line.startsWith('xxx'))).toBe(true);
  });

  it('has more room for what is asked, and for the result, than for what was said on the way', async () => {
    const { session, process } = await startedScene();
    const long = 'x'.repeat(9_000);
    process.event({ type: 'text', text: `${long}\n`.repeat(20) });
    void process.ask({ input: { command: long } });
    const waiting = viewOf(session);
    const { session: other, process: another } = await startedScene();
    another.event({ type: 'text', text: long });
    another.result({ result: long });
    const done = viewOf(other);

    expect(String(waiting.pendingInputs[0]?.toolInput['command']).length).toBeGreaterThan(3_900);
    expect(waiting.recentOutput).not.toEqual([]);
    expect(done.result?.length).toBeGreaterThan(4_000);
    expect(done.recentOutput).not.toEqual([]);
  });

  it('says that only a person may approve, where it is so', async () => {
    const { session, process } = await startedScene();
    void process.ask({ claudeSays: 'Runs the tests', reason: 'It writes' });

    const [input] = viewOf(session, 50, 'deny_without_form').pendingInputs;
    const [withForm] = viewOf(session, 50, 'deny').pendingInputs;

    const about = 'Bash: `npm test`. Claude says: "Runs the tests". Reason: "It writes".';
    expect(input?.description).toBe(
      `${about} Only a person may approve this, in a client that shows forms (elicitation). This client does not. You may deny it`,
    );
    // No call of these tools waits for the form.
    expect(withForm?.description).toBe(
      `${about} Only a person may approve this, in the form that their client shows. You may deny it`,
    );
  });

  it('names the call that reads the rest of a long error', async () => {
    const { session, process } = await startedScene();
    const result = `API Error: ${'<p>Bad gateway</p> '.repeat(2_000)}`;
    process.result({ outcome: 'failed', errorSubtype: 'other', result });

    const { error = '', readMore } = viewOf(session);

    const offset = Number(/"resultOffset":(\d+)\}$/.exec(String(readMore))?.[1]);
    expect(offset).toBeGreaterThan(1_000);
    expect(error.slice(0, offset)).toBe(result.slice(0, offset));
    expect(error).toMatch(/characters hidden/);
  });

  it('says so when earlier events are no longer stored, and names the call that reads all output', async () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 1_000_000 });
    const { session, process } = await startedScene({ seed: { log } });
    for (let index = 1; index <= 30; index += 1) process.event({ type: 'text', text: `line ${index}` });

    const all = viewOf(session);
    const few = viewOf(session, 3);

    const readMoreOutput = `claude_get_status {"sessionId":"${session.id}","outputOffset":0}`;
    expect(all).toMatchObject({ readMoreOutput, droppedEvents: 30 - all.recentOutput.length });
    expect(few).toMatchObject({ recentOutput: ['line 28', 'line 29', 'line 30'] });
    expect(few).not.toHaveProperty('readMoreOutput');
  });

  it('is interrupted for one that was cancelled, and tells what is known of a failure', async () => {
    const failed = await startedScene();
    failed.process.result({ outcome: 'failed', errorSubtype: 'rate_limited', result: 'Too many requests' });
    const restored = await startedScene({ seed: { state: { status: 'error', outcome: 'failed' } } });
    const cancelled = await startedScene();
    await cancelled.session.cancel();

    expect(viewOf(failed.session)).toMatchObject({
      status: 'error',
      error: 'Too many requests. Wait for the rate limit to pass, then send another message.',
    });
    expect(viewOf(restored.session)).toMatchObject({
      status: 'error',
      error: 'The last turn failed before this server was started.',
    });
    expect(viewOf(cancelled.session)).toMatchObject({ status: 'interrupted' });
  });
});
