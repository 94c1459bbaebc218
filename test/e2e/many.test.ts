import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, say, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';
import { startSwitchable } from './faults/fault-scene.js';

async function start(
  { server, sandbox }: Scene,
  prompt: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, ...args });
  return json.sessionId;
}

describe('many sessions', () => {
  it('run at once, each with its own events and none mixed', async () => {
    const scene = await startScene({ era: 'modern' });
    const names = ['ash', 'birch', 'cedar'];
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
          .map((event) => event.text),
      ),
    ).toEqual(names.map((name) => [`now ${name}`, name, `done ${name}`]));
  });

  it('make room: an idle process goes for a new session, a busy one does not', async () => {
    const { scene, use } = await startSwitchable('ok', { MAX_SESSIONS: '2' });
    const idle = await start(scene, 'first', { waitMs: 20_000 });
    use('deaf-to-interrupt');
    const busy = await start(scene, 'second');

    const third = await start(scene, 'third');
    const refused = await scene.server.call('claude_code', { prompt: 'fourth', cwd: scene.sandbox.project });
    await scene.server.call('claude_code_session', { action: 'cancel', sessionId: third });
    use('ok');
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

it('a busy session runs one of two replies, lets a caller steer it, and works off its queue', async () => {
  const scene = await startScene({ era: 'modern' });
  const held = createGate();
  scene.model.when('build', [gate(held, tool('Bash', { command: 'echo built' })), text('built and tested')]);
  scene.model.when('queued', [text('second')]);
  const sessionId = await start(scene, 'hello', { waitMs: 20_000 });

  const replies = await Promise.all(
    ['build left', 'build right'].map((prompt) =>
      scene.server.call('claude_code_reply', { sessionId, prompt }),
    ),
  );
  await held.reached;
  await scene.server.call('claude_code_reply', { sessionId, prompt: 'also test it', whenBusy: 'steer' });
  const queued = await scene.server.call('claude_code_reply', {
    sessionId,
    prompt: 'queued one',
    whenBusy: 'queue',
  });
  held.open();
  const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

  expect(replies.filter(({ isError }) => isError).map(({ text: words }) => words)).toEqual([
    expect.stringMatching(/^Error \[SESSION_BUSY\]: .*whenBusy/),
  ]);
  expect(queued.json).toMatchObject({ status: 'running', queuedPrompts: 1 });
  expect(done.json).toMatchObject({ status: 'idle', result: { result: 'second', turn: 3 } });
  expect(JSON.stringify(scene.model.requests(sessionId).at(-1)?.body)).toContain('also test it');
});

it('a caller steers a session that is still starting', async () => {
  const scene = await startScene({ era: 'modern' });
  const { server, model } = scene;
  const held = createGate();
  model.when('build', [gate(held, tool('Bash', { command: 'echo built' })), text('built and tested')]);

  const sessionId = await start(scene, 'build', { waitMs: 1 });
  await server.call('claude_code_reply', { sessionId, prompt: 'also test it', whenBusy: 'steer' });
  await held.reached;
  await until('it has joined the turn', async () => {
    const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    return json.queuedPrompts === undefined;
  });
  held.open();
  const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

  expect(done.json).toMatchObject({ status: 'idle', result: { result: 'built and tested', turn: 1 } });
  expect(model.requests(sessionId).at(-1)?.folded.join('\n')).toContain('also test it');
});
