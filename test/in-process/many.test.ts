import { describe, expect, it } from 'vitest';
import { createGate } from '../kit/gate.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { gate, say, stall, text, tool } from '../kit/model-steps.js';

async function start(
  { server, sandbox }: InProcessScene,
  prompt: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, ...args });
  return json.sessionId;
}

describe('many sessions', () => {
  it('run at once, each with its own events and none mixed', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const names = ['ash', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'maple'];
    for (const name of names) {
      scene.model.when(`say ${name}`, [
        say(`now ${name}`, tool('Bash', { command: `echo ${name}` })),
        text(`done ${name}`),
      ]);
    }

    const ids = await Promise.all(names.map((name) => start(scene, `say ${name}`)));
    const all = await scene.server.call('claude_code_check', {
      sessionIds: ids,
      waitFor: 'all',
      waitMs: 45_000,
    });
    const logs = await Promise.all(
      ids.map((sessionId) =>
        scene.server.call('claude_code_check', { sessionId, cursor: 0, include: ['events'], waitMs: 0 }),
      ),
    );

    expect(all.json.sessions?.map(({ status, result }) => [status, result?.result])).toEqual(
      names.map((name) => ['idle', `done ${name}`]),
    );
    expect(
      logs.map(({ json }) =>
        json.events
          ?.filter(({ type }) => type === 'text' || type === 'tool_result')
          .map((event) => event.text?.trim()),
      ),
    ).toEqual(names.map((name) => [`now ${name}`, name, `done ${name}`]));
  });

  it('wake a join on the first news, and again only on further news', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const names = ['one', 'two', 'three', 'four'];
    const gates = names.map(() => createGate());
    for (const [index, held] of gates.entries()) {
      scene.model.when(`job ${names[index]}`, [gate(held, text(`end of ${names[index]}`))]);
    }
    const sessionIds = await Promise.all(names.map((name) => start(scene, `job ${name}`)));
    await Promise.all(gates.map(({ reached }) => reached));
    const join = async (cursor?: number | string): Promise<Awaited<ReturnType<typeof scene.server.call>>> =>
      scene.server.call('claude_code_check', {
        sessionIds,
        ...(cursor === undefined ? {} : { cursor }),
        waitMs: 40_000,
      });

    const first = join();
    gates[1]?.open();
    const afterFirst = (await first).json;
    const second = join(afterFirst.cursor);
    gates[3]?.open();
    const afterSecond = (await second).json;

    expect(afterFirst.sessions?.map(({ status, result }) => [status, result?.result])).toEqual([
      ['running', undefined],
      ['idle', 'end of two'],
      ['running', undefined],
      ['running', undefined],
    ]);
    expect(afterSecond.sessions?.map(({ status, result }) => [status, result?.result])).toEqual([
      ['running', undefined],
      ['idle', undefined],
      ['running', undefined],
      ['idle', 'end of four'],
    ]);
    gates[0]?.open();
    gates[2]?.open();
    await scene.server.call('claude_code_check', { sessionIds, waitFor: 'all', waitMs: 40_000 });
  });

  it('make room: an idle process goes for a new session, a busy one does not', async () => {
    const scene = await startInProcess({ era: 'legacy', env: { MAX_SESSIONS: '2' } });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('released'))]);
    const idle = await start(scene, 'first', { waitMs: 20_000 });
    const busy = await start(scene, 'hold');

    const third = await start(scene, 'third hold');
    const refused = await scene.server.call('claude_code', { prompt: 'fourth', cwd: scene.sandbox.project });
    held.open();
    await scene.server.call('claude_code_check', {
      sessionIds: [busy, third],
      waitFor: 'all',
      waitMs: 20_000,
    });
    const resumed = await scene.server.call('claude_code_reply', {
      sessionId: idle,
      prompt: 'back',
      waitMs: 20_000,
    });
    const list = await scene.server.call('claude_code_session', { action: 'list' });

    expect(refused.text).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: all 2 live processes are busy: /);
    expect(refused.text).toContain(busy);
    expect(resumed.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(list.json.sessions?.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [idle, busy, third].toSorted(),
    );
  });
});

describe('a busy session', () => {
  it('runs exactly one of two replies that come in the same tick', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await start(scene, 'hello', { waitMs: 20_000 });
    const held = createGate();
    scene.model.when('side', [gate(held, text('seen'))]);

    const replies = await Promise.all(
      ['left side', 'right side'].map((prompt) =>
        scene.server.call('claude_code_reply', { sessionId, prompt }),
      ),
    );
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(replies.filter(({ isError }) => isError).map(({ text: words }) => words)).toEqual([
      expect.stringMatching(/^Error \[SESSION_BUSY\]: .*whenBusy/),
    ]);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'seen', turn: 2 } });
  });

  it('works off a queue, one turn each, and tells what an interrupt has dropped', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('first'))]);
    scene.model.when('queued', [text('second')]);
    const sessionId = await start(scene, 'hold');
    await held.reached;
    const queue = (prompt: string): ReturnType<typeof scene.server.call> =>
      scene.server.call('claude_code_reply', { sessionId, prompt, whenBusy: 'queue' });

    const queued = await queue('queued one');
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId });
    const again = createGate();
    scene.model.when('hold', [gate(again, text('never'))]);
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'hold once more' });
    await again.reached;
    await queue('dropped one');
    await queue('dropped two');
    const interrupted = await scene.server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(queued.json).toMatchObject({ status: 'running', queuedPrompts: 1 });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'second', turn: 2 } });
    expect(interrupted.json).toMatchObject({
      status: 'idle',
      droppedPrompts: 2,
      result: { outcome: 'interrupted', turn: 3 },
    });
    expect(scene.model.requests(sessionId).map(({ promptText }) => promptText)).not.toContain('dropped one');
  });

  it('says which prompts it has not run after a time limit, until they are sent again', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, model, clock } = scene;
    model.when('hang', [stall()]);
    const sessionId = await start(scene, 'hang', { advanced: { timeoutMs: 1_000 } });
    await model.request(() => true);
    const prompts = { sessionId, prompt: 'and this', whenBusy: 'queue' };
    await server.call('claude_code_reply', prompts);
    await clock.pass(1_000);

    const stopped = await server.call('claude_code_check', { sessionId });
    const again = await server.call('claude_code_reply', { ...prompts, waitMs: 20_000 });

    expect(stopped.json).toMatchObject({ status: 'error', keptPrompts: ['and this'] });
    expect(again.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(again.json).not.toHaveProperty('keptPrompts');
  });

  it('lets a caller steer the running turn', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const held = createGate();
    scene.model.when('build', [
      gate(held, tool('Bash', { command: 'echo built' })),
      text('built and tested'),
    ]);
    const sessionId = await start(scene, 'build');
    await held.reached;

    await scene.server.call('claude_code_reply', { sessionId, prompt: 'also test it', whenBusy: 'steer' });
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'built and tested', turn: 1 } });
    expect(JSON.stringify(scene.model.requests(sessionId).at(-1)?.body)).toContain('also test it');
  });
});
