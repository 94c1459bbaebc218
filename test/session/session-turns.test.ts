import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { createScene, idleScene, reply, startedScene, statusTexts } from './session-scene.js';

describe('the first turn', () => {
  it('is running once Claude Code works on it', async () => {
    const { session, process, changes } = await startedScene();

    expect(session.view.state).toEqual({ status: 'running', outcome: undefined });
    expect(process.prompts).toMatchObject([{ text: 'first', delivery: 'turn' }]);
    expect(session.view.availableTools).toEqual(['Bash', 'Read']);
    expect([session.view.turnNumber, session.view.isAtRest, changes()]).toEqual([1, false, 1]);
  });

  it('ends with its result', async () => {
    const { session, process } = await startedScene();

    process.event({ type: 'text', text: 'hello' });
    process.result({ result: 'hello', costUsd: 0.0044 });

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toEqual({
      result: 'hello',
      isError: false,
      outcome: 'completed',
      turn: 1,
      durationMs: 10,
      numTurns: 1,
      totalCostUsd: 0.0044,
      sessionTotalTurns: 1,
      sessionTotalCostUsd: 0.0044,
    });
    expect(session.view.log.read(0).events).toMatchObject([
      { type: 'text', turn: 1 },
      { type: 'result', turn: 1, seq: session.view.lastResultSeq },
    ]);
    expect(session.view.isAtRest).toBe(true);
  });

  it('ends in error after a failure', async () => {
    const { session, process } = await startedScene();

    process.result({ outcome: 'failed', errorSubtype: 'max_turns' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.lastResult).toMatchObject({ isError: true, errorSubtype: 'max_turns' });
  });

  it('ends with a failure that names no prompt', async () => {
    const { session, process } = await startedScene();

    process.result({ outcome: 'failed', errorSubtype: 'not_signed_in' }, []);

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.turnNumber).toBe(1);
  });

  it('is reported as crashed if the process exits without a result', async () => {
    const { session, process } = await startedScene();

    process.exit({ reason: 'Claude Code was terminated by SIGKILL', stderrTail: 'out of memory' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.log.read(0).events).toMatchObject([
      {
        type: 'error',
        errorSubtype: 'crashed',
        text: 'Claude Code was terminated by SIGKILL before the turn ended: out of memory',
      },
    ]);
  });

  it('counts the responses of the model before a crash', async () => {
    const { session, process } = await startedScene();
    process.answer('m1');

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(session.view.lastResult).toMatchObject({ numTurns: 1, sessionTotalTurns: 1 });
    expect(session.view.modelTurns).toBe(1);
  });

  it('leaves nothing behind if Claude Code cannot be started', async () => {
    const { session, backend, slots, clock } = createScene();
    const started = session.start({ text: 'first' });

    (await backend.process(0)).exit({ reason: 'spawn claude ENOENT', neverStarted: true });

    await expect(started).rejects.toEqual(
      new AppError('claude_not_started', { problem: 'spawn claude ENOENT', stderrTail: '' }),
    );
    expect(clock.pendingTimers).toBe(0);
    for (let index = 0; index < 10; index += 1) slots.reserve(session);
  });
});

describe('a reply', () => {
  it('runs on the same process and counts as the next turn', async () => {
    const { session, backend, process } = await idleScene();

    await reply(session, 'second');
    await process.prompt(1);
    process.result({ result: 'again' });

    expect(process.prompts).toMatchObject([{ text: 'first' }, { text: 'second', delivery: 'turn' }]);
    expect(session.view.lastResult).toMatchObject({ result: 'again', turn: 2, sessionTotalTurns: 2 });
    expect(session.view.totals).toEqual({ turns: 2, costUsd: 0.02 });
    expect(backend.processes).toHaveLength(1);
  });

  it('revives a failed session', async () => {
    const { session, process } = await startedScene();
    process.result({ outcome: 'failed', errorSubtype: 'overloaded' });

    await reply(session, 'try again');
    expect(session.view.state).toEqual({ status: 'running', outcome: 'failed' });
    await process.prompt(1);
    process.result();

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('is refused while a turn runs, with its activity', async () => {
    const { session, process } = await startedScene();
    process.event({ type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 'Bash: npm test' });

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('session_busy', {
        sessionId: session.id,
        activity: '`Bash: npm test`, 0 s',
        canQueue: true,
        openRequest: undefined,
      }),
    );
    expect(process.prompts).toHaveLength(1);
  });

  it("is refused while a request is open, with the tool's name", async () => {
    const { session, process } = await startedScene();
    void process.ask({ toolName: 'Write' });
    const [request] = session.view.openInputs;

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('session_busy', {
        sessionId: session.id,
        activity: 'waiting for an answer to Write',
        canQueue: true,
        openRequest: { requestId: request?.requestId ?? '', kind: 'permission' },
      }),
    );
  });

  it('marks the session as used and notifies its listeners', async () => {
    const { session, clock } = await idleScene();
    const statuses: string[] = [];
    session.subscribe(() => statuses.push(session.view.state.status));
    clock.advance(1_000);

    await reply(session, 'second');

    expect(session.view.lastUsedAt).toBe(clock.now());
    expect(statuses).toEqual(['running']);
  });

  it('keeps the process from eviction while it is being checked', async () => {
    const { session } = await idleScene();
    expect(session.canEvict()).toBe(true);

    const replied = reply(session, 'second');

    expect(session.canEvict()).toBe(false);
    await replied;
  });

  it('succeeds for only one of two replies in the same tick', async () => {
    const { session, process } = await idleScene();

    const outcomes = await Promise.allSettled([reply(session, 'one'), reply(session, 'two')]);
    await process.prompt(1);
    process.result();

    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      {
        status: 'rejected',
        reason: { code: 'SESSION_BUSY', params: { activity: 'another call is about to use it' } },
      },
    ]);
    expect(process.prompts).toMatchObject([{ text: 'first' }, { text: 'one' }]);
    expect(session.view.turnNumber).toBe(2);
  });
});

describe('a result that belongs to another turn', () => {
  it('counts its cost and changes no state', async () => {
    const { session, process } = await startedScene();

    process.result({ costUsd: 0.5 }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.view.state).toEqual({ status: 'running', outcome: undefined });
    expect(session.view.lastResult).toBeUndefined();
    expect(session.view.totals).toEqual({ turns: 1, costUsd: 0.5 });
    expect(statusTexts(session)).toEqual(['Received a result that belongs to no prompt of the current turn']);
  });

  it('changes no state if no turn is running', async () => {
    const { session, process } = await idleScene();

    process.result({ result: 'late' }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'done' });
  });

  it('moves nothing when it answers a prompt, and the turn is one that nobody asked for', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.result({ result: 'late' }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.view.state.status).toBe('running');
  });

  it('moves nothing when it is that of a background task', async () => {
    const { session, process } = await startedScene();

    process.unsolicitedResult({ result: 'the task is done' });

    expect(session.view.state.status).toBe('running');
  });
});

describe('an unsolicited turn', () => {
  it('begins with the activity of Claude Code and ends with its own result', async () => {
    const { session, process } = await idleScene();

    process.activity('running');
    expect(session.view.state.status).toBe('running');
    process.unsolicitedResult({ result: 'the task is done' });
    process.activity('idle');

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'the task is done', turn: 2 });
  });

  it('begins with its result if nothing announced it', async () => {
    const { session, process } = await idleScene();

    process.unsolicitedResult({ result: 'the task is done' });

    expect(session.view.lastResult).toMatchObject({ result: 'the task is done', turn: 2 });
  });

  it('ends without a result event if Claude Code has nothing to report', async () => {
    const { session, process } = await idleScene();

    process.activity('running');
    process.activity('idle');

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'done', turn: 1 });
  });

  it('is reported as crashed if the process exits during it', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
  });

  // The failure must be reported, although a turn with nothing to report also counts no model turns.
  it('reports why it failed', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(session.view.log.read(0).events.at(-1)).toMatchObject({ type: 'error', errorSubtype: 'crashed' });
    expect(session.view.lastResult).toMatchObject({ isError: true, errorSubtype: 'crashed', turn: 2 });
  });

  it('does not begin with the activity of a requested turn', async () => {
    const { session, process } = await startedScene();

    process.activity('running');
    process.activity('idle');

    expect([session.view.turnNumber, session.view.state.status]).toEqual([1, 'running']);
  });

  it('begins when a background subagent makes a request', async () => {
    const { session, process, broker } = await idleScene();

    const answer = process.ask({ agent: 'a1' });
    expect(session.view.state.status).toBe('waiting');
    broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    await answer;
    process.activity('idle');

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });
});

it('notifies its listeners of every event until they unsubscribe', async () => {
  const { session, process } = await startedScene();
  const seen: unknown[] = [];
  const unsubscribe = session.subscribe((event) => seen.push(event?.type));

  process.event({ type: 'text', text: 'a' });
  unsubscribe();
  process.event({ type: 'text', text: 'b' });

  expect(seen).toEqual(['text']);
});
