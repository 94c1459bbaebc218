import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { createScene, idleScene, reply, startedScene, statusTexts } from './session-scene.js';

describe('the first turn', () => {
  it('is running once Claude Code works on it', async () => {
    const { session, process, changes } = await startedScene();

    expect(session.state).toEqual({ status: 'running', outcome: undefined });
    expect(process.prompts).toMatchObject([{ text: 'first', delivery: 'turn' }]);
    expect(session.availableTools).toEqual(['Bash', 'Read']);
    expect([session.turnNumber, session.isAtRest, changes()]).toEqual([1, false, 1]);
  });

  it('ends with its result', async () => {
    const { session, process } = await startedScene();

    process.event({ type: 'text', text: 'hello' });
    process.result({ result: 'hello', costUsd: 0.0044 });

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.lastResult).toEqual({
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
    expect(session.log.read(0).events).toMatchObject([
      { type: 'text', turn: 1 },
      { type: 'result', turn: 1, seq: session.lastResultSeq },
    ]);
    expect(session.isAtRest).toBe(true);
  });

  it('ends in error with a failure', async () => {
    const { session, process } = await startedScene();

    process.result({ outcome: 'failed', errorSubtype: 'max_turns' });

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.lastResult).toMatchObject({ isError: true, errorSubtype: 'max_turns' });
  });

  it('ends with a failure that names no prompt', async () => {
    const { session, process } = await startedScene();

    process.result({ outcome: 'failed', errorSubtype: 'not_signed_in' }, []);

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.turnNumber).toBe(1);
  });

  it('is crashed when the process ends without a result', async () => {
    const { session, process } = await startedScene();

    process.exit({ reason: 'Claude Code was ended by SIGKILL', stderrTail: 'out of memory' });

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.log.read(0).events).toMatchObject([
      {
        type: 'error',
        errorSubtype: 'crashed',
        text: 'Claude Code was ended by SIGKILL before the turn was over: out of memory',
      },
    ]);
  });

  it('leaves nothing when Claude Code could not be started', async () => {
    const { session, backend, slots, clock } = createScene();
    const started = session.start('first');

    (await backend.process(0)).exit({ reason: 'spawn claude ENOENT', neverStarted: true });

    await expect(started).rejects.toEqual(
      new AppError('UNAVAILABLE', 'spawn claude ENOENT', {
        hint: 'Install Claude Code, or let the operator set CLAUDE_CODE_PATH to its executable.',
      }),
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
    expect(session.lastResult).toMatchObject({ result: 'again', turn: 2, sessionTotalTurns: 2 });
    expect(session.totals).toEqual({ turns: 2, costUsd: 0.02 });
    expect(backend.processes).toHaveLength(1);
  });

  it('brings a failed session back', async () => {
    const { session, process } = await startedScene();
    process.result({ outcome: 'failed', errorSubtype: 'overloaded' });

    await reply(session, 'try again');
    expect(session.state).toEqual({ status: 'running', outcome: 'failed' });
    await process.prompt(1);
    process.result();

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('is refused while a turn runs, with what it is doing', async () => {
    const { session, process } = await startedScene();
    process.event({ type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 'Bash: npm test' });

    await expect(reply(session, 'second')).rejects.toEqual(
      new AppError('SESSION_BUSY', `session ${session.id} is busy: Bash: npm test, 0 s`, {
        hint: 'Wait with claude_code_check, or reply with whenBusy "queue" or "steer", or interrupt it.',
      }),
    );
    expect(process.prompts).toHaveLength(1);
  });

  it('is refused while a request is open, with its tool', async () => {
    const { session, process } = await startedScene();
    void process.ask({ toolName: 'Write' });

    await expect(reply(session, 'second')).rejects.toThrow('is busy: waits for an answer to Write');
  });

  it('counts as use of the session, and is told to its listeners', async () => {
    const { session, clock } = await idleScene();
    const statuses: string[] = [];
    session.subscribe(() => statuses.push(session.state.status));
    clock.advance(1_000);

    await reply(session, 'second');

    expect(session.lastUsedAt).toBe(clock.now());
    expect(statuses).toEqual(['running']);
  });

  it('keeps its process while it is being checked', async () => {
    const { session } = await idleScene();
    expect(session.canEvict()).toBe(true);

    const replied = reply(session, 'second');

    expect(session.canEvict()).toBe(false);
    await replied;
  });

  it('wins alone when two come in the same tick', async () => {
    const { session, process } = await idleScene();

    const outcomes = await Promise.allSettled([reply(session, 'one'), reply(session, 'two')]);
    await process.prompt(1);
    process.result();

    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'SESSION_BUSY' } },
    ]);
    expect(process.prompts).toMatchObject([{ text: 'first' }, { text: 'one' }]);
    expect(session.turnNumber).toBe(2);
  });
});

describe('a result that is not of this turn', () => {
  it('counts its cost and moves nothing', async () => {
    const { session, process } = await startedScene();

    process.result({ costUsd: 0.5 }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.state).toEqual({ status: 'running', outcome: undefined });
    expect(session.lastResult).toBeUndefined();
    expect(session.totals).toEqual({ turns: 1, costUsd: 0.5 });
    expect(statusTexts(session)).toEqual(['A result arrived that belongs to no prompt of the current turn']);
  });

  it('moves nothing when no turn is running', async () => {
    const { session, process } = await idleScene();

    process.result({ result: 'late' }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.lastResult).toMatchObject({ result: 'done' });
  });

  it('moves nothing when it answers a prompt, and the turn is one that nobody asked for', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.result({ result: 'late' }, [{ uuid: 'of another life', text: '', delivery: 'turn' }]);

    expect(session.state.status).toBe('running');
  });

  it('moves nothing when it is that of a background task', async () => {
    const { session, process } = await startedScene();

    process.unsolicitedResult({ result: 'the task is done' });

    expect(session.state.status).toBe('running');
  });
});

describe('a turn that nobody asked for', () => {
  it('begins with the activity of Claude Code and ends with its own result', async () => {
    const { session, process } = await idleScene();

    process.activity('running');
    expect(session.state.status).toBe('running');
    process.unsolicitedResult({ result: 'the task is done' });
    process.activity('idle');

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.lastResult).toMatchObject({ result: 'the task is done', turn: 2 });
  });

  it('begins with its result when nothing announced it', async () => {
    const { session, process } = await idleScene();

    process.unsolicitedResult({ result: 'the task is done' });

    expect(session.lastResult).toMatchObject({ result: 'the task is done', turn: 2 });
  });

  it('ends quietly when Claude Code has nothing to report', async () => {
    const { session, process } = await idleScene();

    process.activity('running');
    process.activity('idle');

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.lastResult).toMatchObject({ result: 'done', turn: 1 });
  });

  it('is crashed when the process ends in the middle of it', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.exit({ reason: 'Claude Code was ended by SIGKILL' });

    expect(session.state).toEqual({ status: 'error', outcome: 'failed' });
  });

  // Told as quietly as one that has nothing to report, because it counts no model turns either.
  it('tells why it is in error', async () => {
    const { session, process } = await idleScene();
    process.activity('running');

    process.exit({ reason: 'Claude Code was ended by SIGKILL' });

    expect(session.log.read(0).events.at(-1)).toMatchObject({ type: 'error', errorSubtype: 'crashed' });
    expect(session.lastResult).toMatchObject({ isError: true, errorSubtype: 'crashed', turn: 2 });
  });

  it('does not begin by the activity of a turn that somebody asked for', async () => {
    const { session, process } = await startedScene();

    process.activity('running');
    process.activity('idle');

    expect([session.turnNumber, session.state.status]).toEqual([1, 'running']);
  });

  it('begins when a subagent in the background asks', async () => {
    const { session, process, broker } = await idleScene();

    const answer = process.ask({ agentId: 'a1' });
    expect(session.state.status).toBe('waiting');
    broker.answer(session.openInputs[0]?.requestId ?? '', { decision: 'allow' }, 'caller');
    await answer;
    process.activity('idle');

    expect(session.state).toEqual({ status: 'idle', outcome: 'completed' });
  });
});

it('tells its listeners of every event until they leave', async () => {
  const { session, process } = await startedScene();
  const seen: unknown[] = [];
  const unsubscribe = session.subscribe((event) => seen.push(event?.type));

  process.event({ type: 'text', text: 'a' });
  unsubscribe();
  process.event({ type: 'text', text: 'b' });

  expect(seen).toEqual(['text']);
});
