/** Many streams wait for the same news. What they say is made once, and in turns with other work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import type { Redactor } from '../../src/core/observability/redactor.js';
import { EventLog } from '../../src/events/event-log.js';
import { cardOf } from '../../src/page/cards.js';
import { placePrompts, readAfter } from '../../src/page/timeline.js';
import { blindRedactor } from '../kit/redactors.js';
import { startIn } from '../sessions/manager-scene.js';
import { createDeskScene, StreamPage } from './desk-scene.js';

/** Turns that come at once, and are counted, until the test holds them. */
function testTurns() {
  const waiting: (() => void)[] = [];
  const turns = {
    count: 0,
    isHeld: false,
    waiting,
    turn: async (): Promise<void> => {
      turns.count += 1;
      if (turns.isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
  return turns;
}

/** The input of a call that counts how often it is read. */
function countedInput() {
  const counted = {
    reads: 0,
    input: {
      get command() {
        counted.reads += 1;
        return 'make';
      },
    },
  };
  return counted;
}

describe('a card', () => {
  it('is made once for all streams, and for those that begin later', async () => {
    const readsFor = async (streams: number, later: number): Promise<number> => {
      const scene = await createDeskScene();
      const { process } = await startIn(scene);
      const pages = Array.from({ length: streams }, () => new StreamPage(scene.desk));
      for (const page of pages) await page.nextOf('inbox');
      const counted = countedInput();
      void process.ask({ input: counted.input });
      for (const page of pages) await page.nextOf('asked');
      for (let count = 0; count < later; count += 1) await new StreamPage(scene.desk).nextOf('inbox');
      return counted.reads;
    };

    const [one, many] = [await readsFor(1, 0), await readsFor(20, 20)];

    expect(one).toBeGreaterThan(0);
    expect(many).toBe(one);
  });

  it('is the same object until the file of the call or its session has changed', async () => {
    const scene = await createDeskScene();
    const path = join(scene.project, 'a.txt');
    writeFileSync(path, 'one');
    const { session, process } = await startIn(scene);
    void process.ask({ toolName: 'Write', input: { file_path: path, content: 'new' } });
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('no request is open');
    const masked: unknown[] = [];
    const redactor: Redactor = {
      ...blindRedactor,
      maskForApprover(value) {
        if (typeof value === 'object') masked.push(value);
        return value;
      },
    };
    const make = () => cardOf(request, { sessions: scene.manager, redactor }, async () => undefined);

    const [first, second] = [await make(), await make()];
    writeFileSync(path, 'two');
    const third = await make();

    expect(second).toBe(first);
    expect([first.what, third.what]).toMatchObject([{ before: 'one' }, { before: 'two' }]);
    expect(third.input).toBe(first.input);
    expect(masked).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('of a million characters is made in many turns, together with all streams', async () => {
    const turnsFor = async (streams: number): Promise<number> => {
      const scene = await createDeskScene();
      const { process } = await startIn(scene);
      const turns = testTurns();
      const pages = Array.from({ length: streams }, () => new StreamPage(scene.desk, {}, turns.turn));
      for (const page of pages) await page.nextOf('inbox');
      const before = turns.count;
      void process.ask({ input: { command: 'a'.repeat(1_000_000) } });
      await Promise.all(pages.map((page) => page.nextOf('asked')));
      return turns.count - before;
    };

    const [one, ten] = [await turnsFor(1), await turnsFor(10)];

    // One for each of 50 parts but the first, and one for each message.
    expect([one, ten]).toEqual([50, 59]);
  });
});

describe('streams', () => {
  it('make one message in each turn, although all wake at once', async () => {
    const scene = await createDeskScene();
    const { process } = await startIn(scene);
    const turns = testTurns();
    const pages = Array.from({ length: 3 }, () => new StreamPage(scene.desk, {}, turns.turn));
    for (const page of pages) await page.nextOf('inbox');
    const counted = countedInput();
    turns.isHeld = true;

    void process.ask({ input: counted.input });
    const before = counted.reads;
    const asked = pages.map((page) => page.nextOf('asked'));
    await expect.poll(() => turns.waiting.length).toBe(3);
    const readsWhileHeld = counted.reads - before;
    turns.waiting.shift()?.();
    const first = await asked[0];
    for (const begin of turns.waiting) begin();

    expect({ readsWhileHeld, first }).toMatchObject({ readsWhileHeld: 0, first: { type: 'asked' } });
    expect((await Promise.all(asked)).map(({ card }) => card === first?.card)).toEqual([true, true, true]);
  });

  it('make no message for a page that has left before its turn', async () => {
    const scene = await createDeskScene();
    const { process } = await startIn(scene);
    const turns = testTurns();
    const page = new StreamPage(scene.desk, {}, turns.turn);
    await page.nextOf('inbox');
    const counted = countedInput();
    turns.isHeld = true;
    void process.ask({ input: counted.input });
    const before = counted.reads;
    const next = page.next();
    await expect.poll(() => turns.waiting.length).toBe(1);

    const closed = page.close();
    turns.waiting.shift()?.();
    await closed;

    expect([await next, counted.reads - before]).toEqual([undefined, 0]);
  });
});

describe('the events of a session', () => {
  it('come in several messages, each made in several turns, if they are long', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    for (let index = 0; index < 40; index += 1)
      process.event({ type: 'text', text: `${index} ${'a'.repeat(9_990)}` });
    const turns = testTurns();
    const page = new StreamPage(scene.desk, { sessionId: session.id }, turns.turn);
    await page.nextOf('inbox');

    const made = [];
    for (let shown = 0; shown < 41; shown += made.at(-1)?.events ?? 0) {
      const before = turns.count;
      const { events, dropped } = await page.nextOf('events');
      made.push({ events: events.length, dropped, turns: turns.count - before });
    }

    expect(made).toEqual([
      { events: 22, dropped: 0, turns: expect.any(Number) },
      { events: 19, dropped: 0, turns: expect.any(Number) },
    ]);
    for (const { turns: count } of made) expect(count).toBeGreaterThan(5);
  });

  it('count each evicted one once, also if they come in several messages', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    const { log } = session.view;
    const text = 'a'.repeat(15_000);
    for (let index = 0; index < 30; index += 1) {
      process.event({ type: 'text', text: 'evicted' });
      process.event({ type: 'error', errorSubtype: 'crashed', text });
    }
    log.shed();
    const page = new StreamPage(scene.desk, { sessionId: session.id });

    const messages = [await page.nextOf('events'), await page.nextOf('events'), await page.nextOf('events')];

    expect(messages.reduce((sum, { events }) => sum + events.length, 0)).toBe(31);
    expect(messages.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(30);
    expect(messages.map(({ dropped }) => dropped > 0)).toEqual([true, true, true]);
  });

  it('are made without the prompts that the page has already', async () => {
    const log = new EventLog({ maxEvents: 10, maxBytes: 1_000 });
    log.append({ type: 'text', text: 'next' }, 2, 1);
    let reads = 0;
    const prompt = {
      uuid: 'p1',
      turn: 1,
      at: 1,
      afterSeq: 0,
      get text() {
        reads += 1;
        return 'do it';
      },
    };
    const view = { id: '11111111-1111-4111-8111-111111111111' as SessionId, log, prompts: [prompt] };
    const read = (after: number) =>
      readAfter(view, placePrompts(view, []), { after, limit: 10, turn: async () => undefined });

    const { events } = await read(0.001);
    const readsForNext = reads;
    const all = await read(0);

    expect(events).toMatchObject([{ seq: 1, body: { text: 'next' } }]);
    expect(all.events).toMatchObject([{ seq: 0.001, body: { text: 'do it' } }, ...events]);
    expect([readsForNext, reads]).toEqual([0, 1]);
  });
});
