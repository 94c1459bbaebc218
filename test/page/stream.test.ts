import { appendFileSync } from 'node:fs';
import { setImmediate as others } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StreamMessage } from '../../src/page/contract.js';
import { createDesk } from '../../src/page/create-desk.js';
import { plainCaller } from '../kit/callers.js';
import { blindRedactor } from '../kit/redactors.js';
import { createManagerScene, startIn, writeTranscript } from '../sessions/manager-scene.js';
import { plainLimits } from '../kit/fake-manager.js';
import { createDeskScene, phone, StreamPage } from './desk-scene.js';

/** Texts of the events in a message, in order. */
function textsIn({ events }: Extract<StreamMessage, { readonly type: 'events' }>): readonly string[] {
  return events.map(({ body }) => ('text' in body ? body.text : body.type));
}

describe('the events of the session on display', () => {
  it('arrive once and in order, with the prompts in place', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    process.event({ type: 'text', text: 'one' });
    const page = new StreamPage(scene.desk, { sessionId: session.id });

    const first = await page.nextOf('events');
    process.event({ type: 'text', text: 'two' });
    const second = await page.nextOf('events');
    process.result();
    const third = await page.nextOf('events');
    await scene.desk.call('reply', { sessionId: session.id, prompt: 'go on', whenBusy: 'queue' }, phone);
    process.event({ type: 'text', text: 'three' });
    const fourth = await page.nextOf('events');

    expect([first, second, third, fourth].map(textsIn)).toEqual([
      ['do it', 'one'],
      ['two'],
      ['done'],
      ['go on', 'three'],
    ]);
    expect(first.events).toMatchObject([
      { seq: 0.001, turn: 1, body: { type: 'prompt' } },
      { seq: 1, turn: 1 },
    ]);
    expect(fourth.events).toMatchObject([{ seq: 3.001, turn: 2, body: { type: 'prompt' } }, { seq: 4 }]);
  });

  it('go on after the cursor when the page connects again, without loss and without duplicates', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    process.event({ type: 'text', text: 'one' });
    const before = new StreamPage(scene.desk, { sessionId: session.id });
    await before.nextOf('events');
    await before.close();
    process.event({ type: 'text', text: 'two' });
    process.event({ type: 'text', text: 'three' });

    const { cursor } = before;
    const after = new StreamPage(scene.desk, { sessionId: session.id, cursor });

    expect(textsIn(await after.nextOf('events'))).toEqual(['two', 'three']);
  });

  it('begin where the page says, and a cursor of another session does not count', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    for (const text of ['one', 'two', 'three']) process.event({ type: 'text', text });

    const page = new StreamPage(scene.desk, {
      sessionId: session.id,
      after: 2,
      cursor: '00000000-0000-4000-8000-000000000000:9',
    });

    expect(textsIn(await page.nextOf('events'))).toEqual(['three']);
  });

  it('say how many were evicted before they could be sent', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    for (let index = 0; index < 5; index += 1) process.event({ type: 'text', text: `${index}` });
    session.view.log.shed();

    const page = new StreamPage(scene.desk, { sessionId: session.id });

    expect(await page.nextOf('events')).toMatchObject({ events: [{ body: { type: 'prompt' } }], dropped: 5 });
  });

  it('replace those of the page if the server has lost its last ones', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    process.event({ type: 'text', text: 'one' });

    const page = new StreamPage(scene.desk, { sessionId: session.id, after: 40 });

    expect(await page.nextOf('events')).toMatchObject({
      isReset: true,
      events: [{ body: { type: 'prompt' } }, { seq: 1 }],
    });
  });

  it('come in several messages if there are many', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    for (let index = 0; index < 450; index += 1) process.event({ type: 'text', text: `${index}` });

    const page = new StreamPage(scene.desk, { sessionId: session.id });
    const sizes = [await page.nextOf('events'), await page.nextOf('events'), await page.nextOf('events')];

    expect(sizes.map(({ events }) => events.length)).toEqual([201, 200, 50]);
  });

  it('are those of an earlier server too, with its prompts from the transcript', async () => {
    const { root, ...scene } = await createDeskScene();
    const { session, process } = await startIn({ ...scene, root });
    process.event({ type: 'text', text: 'one' });
    process.result();
    await scene.manager.shutdown();
    await writeTranscript({ ...scene, root }, session.id);
    const line = {
      type: 'user',
      uuid: '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04',
      timestamp: new Date(scene.clock.now()).toISOString(),
      message: { role: 'user', content: 'do it' },
    };
    appendFileSync(
      `${scene.claudeHome.projectsDir}/project/${session.id}.jsonl`,
      `${JSON.stringify(line)}\n`,
    );
    const next = await createDeskScene({ root });

    const page = new StreamPage(next.desk, { sessionId: session.id });

    expect(textsIn(await page.nextOf('events'))).toEqual(['do it', 'one', 'done']);
  });
});

describe('the stream', () => {
  it('updates the row of a session at most twice a second', async () => {
    const scene = await createDeskScene();
    const { process } = await startIn(scene);
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');

    process.event({ type: 'text', text: 'one' });
    const first = await page.nextOf('sessions');
    for (let index = 0; index < 50; index += 1) process.event({ type: 'text', text: `${index}` });
    scene.clock.advance(499);
    const next = page.next();
    await others();
    scene.clock.advance(1);
    const second = await next;
    scene.clock.advance(10_000);
    const third = await page.next();

    expect(first.rows).toMatchObject([{ status: 'running' }]);
    expect(second).toMatchObject({ type: 'sessions', rows: [{ status: 'running' }] });
    expect(third).toMatchObject({ type: 'beat' });
  });

  it('shows the end of a session that no event reports', async () => {
    const scene = await createDeskScene();
    const { session } = await startIn(scene);
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');

    await scene.desk.call('cancel', { sessionId: session.id }, phone);
    const { rows } = await page.nextOf('sessions');

    expect(rows).toMatchObject([{ sessionId: session.id, status: 'cancelled' }]);
  });

  it('keeps the session on display in memory, and no other', async () => {
    const scene = await createDeskScene();
    const [watched, other] = [await startIn(scene), await startIn(scene)];
    for (const { process } of [watched, other]) process.result();
    const page = new StreamPage(scene.desk, { sessionId: watched.session.id });
    await page.nextOf('events');

    for (let beats = 0; beats < 200; beats += 1) {
      scene.clock.advance(10_000);
      await page.nextOf('beat');
    }

    expect(scene.clock.now() - watched.session.view.lastUsedAt).toBeGreaterThan(plainLimits.sessionTtlMs);
    expect(scene.manager.list()).toEqual([watched.session]);
    expect(other.process.hasExited).toBe(true);
  });

  it('beats every ten seconds', async () => {
    const scene = await createDeskScene();
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');

    scene.clock.advance(10_000);
    const first = await page.next();
    scene.clock.advance(10_000);
    const second = await page.next();

    expect([first, second]).toEqual([
      { type: 'beat', now: scene.clock.now() - 10_000 },
      { type: 'beat', now: scene.clock.now() },
    ]);
  });

  it('reaches several readers', async () => {
    const scene = await createDeskScene();
    const { process } = await startIn(scene);
    const pages = [new StreamPage(scene.desk), new StreamPage(scene.desk)];
    for (const page of pages) await page.nextOf('inbox');

    void process.ask();

    for (const page of pages)
      expect(await page.nextOf('asked')).toMatchObject({ card: { toolName: 'Bash' } });
  });

  it('skips requests that were settled before a slow reader could see them', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');

    for (let index = 0; index < 3; index += 1) {
      void process.ask({ toolUseId: `toolu_${index}` });
      const [request] = session.view.openInputs;
      if (request === undefined) throw new Error('no request is open');
      await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, plainCaller);
    }
    void process.ask({ toolUseId: 'toolu_last', input: { command: 'last' } });

    expect(await page.nextOf('asked')).toMatchObject({ card: { what: { command: 'last' } } });
  });

  it('repeats the inbox instead of more than 200 unread answers', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    for (let index = 0; index < 201; index += 1) void process.ask({ toolUseId: `toolu_${index}` });
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');
    for (const request of session.view.openInputs)
      await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, plainCaller);

    const next = await page.next();

    expect(next).toMatchObject({ type: 'inbox', cards: [] });
  });

  it('says goodbye when the server shuts down', async () => {
    const scene = await createDeskScene();
    const page = new StreamPage(scene.desk);
    await page.nextOf('inbox');

    void scene.manager.shutdown();

    expect([await page.next(), await page.next()]).toEqual([{ type: 'bye', why: 'shutdown' }, undefined]);
  });

  it('ends with its reader and leaves no timer', async () => {
    const scene = await createManagerScene();
    const before = scene.clock.pendingTimers;
    const desk = createDesk({ sessions: scene.manager, redactor: blindRedactor, version: '1' });
    const page = new StreamPage(desk);
    await page.nextOf('inbox');
    const during = scene.clock.pendingTimers;

    await page.close();

    expect([during > before, scene.clock.pendingTimers]).toEqual([true, before]);
  });
});
