import { setImmediate as aMoment } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { idleScene, reply, startedScene, statusTexts } from './session-scene.js';

describe('steering', () => {
  it('joins the running turn, whose single result answers all prompts', async () => {
    const { session, process } = await startedScene();

    await reply(session, 'also this', { whenBusy: 'steer' });
    process.result({}, process.prompts);

    expect(process.prompts).toMatchObject([
      { text: 'first', delivery: 'turn' },
      { text: 'also this', delivery: 'steer' },
    ]);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.turnNumber).toBe(1);
  });

  it('joins the running turn, which a result that names only the steering answers', async () => {
    const { session, process } = await startedScene();

    await reply(session, 'also this', { whenBusy: 'steer' });
    process.result({}, process.prompts.slice(-1));

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('that comes too late is a turn of its own, which Claude Code runs by itself', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'also this', { whenBusy: 'steer' });
    const [first, late] = process.prompts;

    process.result({ result: 'one' }, first === undefined ? [] : [first]);
    expect(session.view.state).toEqual({ status: 'running', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'one', turn: 1 });
    process.result({ result: 'two' }, late === undefined ? [] : [late]);

    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.lastResult).toMatchObject({ result: 'two', turn: 2 });
    expect(process.prompts).toHaveLength(2);
  });

  it('that comes too late for an interrupted turn is interrupted too', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'also this', { whenBusy: 'steer' });
    const [first, late] = process.prompts;

    const interrupted = session.interrupt();
    process.result({ outcome: 'interrupted' }, first === undefined ? [] : [first]);
    const running = session.view.state.status;
    process.result({ outcome: 'interrupted' }, late === undefined ? [] : [late]);
    await interrupted;

    expect([running, process.interrupts]).toEqual(['running', 2]);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
  });

  it('that comes too late keeps the interrupt waiting until it has been interrupted, too', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'also this', { whenBusy: 'steer' });
    const [first, late] = process.prompts;
    let isOver = false;

    const interrupted = session.interrupt().then(() => (isOver = true));
    process.result({ outcome: 'interrupted' }, first === undefined ? [] : [first]);
    await aMoment();
    const wasOver = isOver;
    process.result({ outcome: 'interrupted' }, late === undefined ? [] : [late]);
    await interrupted;

    expect([wasOver, session.view.state.status]).toEqual([false, 'idle']);
  });

  it('is an ordinary reply if no turn runs', async () => {
    const { session, process } = await idleScene();

    await reply(session, 'second', { whenBusy: 'steer' });

    expect(await process.prompt(1)).toMatchObject({ text: 'second', delivery: 'turn' });
  });

  it('never overtakes the prompt of the turn it joins', async () => {
    const { session, process } = await idleScene();

    await reply(session, 'second');
    await reply(session, 'third', { whenBusy: 'steer' });
    await process.prompt(1);
    process.result({}, process.prompts.slice(1));
    await process.prompt(2);

    expect(process.prompts.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  });

  it('joins a turn that Claude Code has not started yet, as soon as it has', async () => {
    const { session, process } = await idleScene();
    await reply(session, 'second');
    await reply(session, 'queued', { whenBusy: 'queue' });
    await reply(session, 'third', { whenBusy: 'steer' });
    await process.prompt(1);
    process.progress('queued');
    const before = session.view.queued.length;

    process.progress('started');

    expect(process.prompts.slice(1)).toMatchObject([
      { text: 'second', delivery: 'turn' },
      { text: 'third', delivery: 'steer' },
    ]);
    expect([before, session.view.queued]).toEqual([2, ['queued']]);
  });

  it('runs afterwards if the turn has been told more than its record may hold', async () => {
    const { session, process } = await startedScene();
    const long = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 3; count += 1) await reply(session, long, { whenBusy: 'steer' });

    await reply(session, long, { whenBusy: 'steer' });

    expect([process.prompts.length, session.view.queued.length]).toEqual([4, 1]);
  });

  it('joins no other turn than the one that its caller saw', async () => {
    const { session, process } = await idleScene();
    await reply(session, 'second');
    await reply(session, 'queued', { whenBusy: 'queue' });
    await reply(session, 'third', { whenBusy: 'steer' });
    await process.prompt(1);

    process.result({}, process.prompts.slice(1));
    await process.prompt(2);
    process.progress('started');
    const joined = process.prompts.length;
    process.result({}, process.prompts.slice(2));
    await process.prompt(3);

    expect(joined).toBe(3);
    expect(process.prompts[3]).toMatchObject({ text: 'third', delivery: 'turn' });
  });

  it('is forgotten when its process exits', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'also this', { whenBusy: 'steer' });

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.turnNumber).toBe(1);
  });
});

describe('the queue', () => {
  it('keeps what an approval has brought, although its prompt has options of its own', async () => {
    const { session, process, backend, broker } = await startedScene();
    const options = { ...session.view.options, settingSources: ['user', 'project'] as const, model: 'haiku' };
    await reply(session, 'second', { whenBusy: 'queue', options });
    const answered = process.ask();
    broker.answer(
      session.view.openInputs[0]?.requestId ?? '',
      {
        decision: 'allow',
        updates: [
          { type: 'denyRules', rules: ['Bash(rm *)'] },
          { type: 'addDirectories', directories: ['/c'], isUntrusted: true },
          { type: 'setMode', mode: 'acceptEdits' },
        ],
      },
      'caller',
    );
    await answered;

    process.result();
    const { launch } = await backend.process(1);

    expect(launch.options).toEqual({
      ...options,
      disallowedTools: ['Bash(rm *)'],
      additionalDirectories: ['/c'],
      settingSources: ['user'],
    });
  });

  it('runs one turn per prompt, in order, without resting in between', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'second', { whenBusy: 'queue' });
    await reply(session, 'third', { whenBusy: 'queue' });
    expect(session.view.queued.length).toBe(2);

    process.result();
    expect([session.view.state.status, session.view.queued.length]).toEqual(['running', 1]);
    await process.prompt(1);
    process.result();
    await process.prompt(2);
    process.result();

    expect(process.prompts.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
    expect(session.view.turnNumber).toBe(3);
  });

  it('continues after a failed turn', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'second', { whenBusy: 'queue' });

    process.result({ outcome: 'failed', errorSubtype: 'max_turns' });

    expect(session.view.state).toEqual({ status: 'running', outcome: 'failed' });
    expect(await process.prompt(1)).toMatchObject({ text: 'second' });
  });

  it('waits for the turn of steering that came too late', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'late', { whenBusy: 'steer' });
    await reply(session, 'queued', { whenBusy: 'queue' });
    const [first, late] = process.prompts;

    process.result({}, first === undefined ? [] : [first]);
    expect(session.view.queued.length).toBe(1);
    process.result({}, late === undefined ? [] : [late]);

    expect(await process.prompt(2)).toMatchObject({ text: 'queued', delivery: 'turn' });
  });

  it('is dropped by an interrupt, which reports it', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'second', { whenBusy: 'queue' });
    await reply(session, 'third', { whenBusy: 'queue' });

    const interrupted = session.interrupt();
    process.result({ outcome: 'interrupted' });

    expect(await interrupted).toBe(2);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'interrupted' });
    expect(statusTexts(session)).toEqual(['Dropped 2 queued prompts']);
    expect(process.prompts).toHaveLength(1);
  });

  it('is kept by a crash until its prompts are sent again, and runs none of them', async () => {
    const { session, process, backend } = await startedScene();
    await reply(session, 'second', { whenBusy: 'queue' });
    await reply(session, 'third', { whenBusy: 'queue' });

    process.exit();
    const { state, queued, kept } = session.view;
    await reply(session, 'second');
    await (await backend.process(1)).prompt(0);

    expect(state).toEqual({ status: 'error', outcome: 'failed' });
    expect([queued, kept]).toEqual([[], ['second', 'third']]);
    expect(session.view.kept).toEqual(['third']);
  });

  it('keeps the last prompts of several crashes', async () => {
    const { session, process, backend } = await startedScene();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await reply(session, text, { whenBusy: 'queue' });
    process.exit();
    await reply(session, 'again');
    const next = await backend.process(1);
    await next.prompt(0);
    for (const text of ['g', 'h', 'i', 'j', 'k', 'l']) await reply(session, text, { whenBusy: 'queue' });

    next.exit();

    expect(session.view.kept.join('')).toBe('cdefghijkl');
  });

  it('is dropped by a cancel', async () => {
    const { session, process } = await startedScene();
    await reply(session, 'second', { whenBusy: 'queue' });

    await session.cancel();

    expect([session.view.queued.length, process.prompts.length]).toEqual([0, 1]);
  });

  it('refuses the eleventh prompt', async () => {
    const { session } = await startedScene();
    for (let index = 0; index < 10; index += 1) await reply(session, `${index}`, { whenBusy: 'queue' });

    await expect(reply(session, 'one more', { whenBusy: 'queue' })).rejects.toThrow(
      '10 prompts are already queued',
    );
  });

  it('accepts a prompt while another reply is still being checked', async () => {
    const { session, process } = await idleScene();

    await Promise.all([reply(session, 'second'), reply(session, 'third', { whenBusy: 'queue' })]);
    await process.prompt(1);
    process.result();

    expect(await process.prompt(2)).toMatchObject({ text: 'third' });
  });
});
