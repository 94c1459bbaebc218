import { describe, expect, it, vi } from 'vitest';
import { faultyCli, type FaultyMode } from '../../kit/faulty-cli-env.js';
import { startScene } from '../../kit/fixture.js';
import { backends, eventsOf, reply, shareFaulty, start } from './fault-scene.js';
import { journalOf } from '../../kit/journals.js';

/** No client shows more than this whole. */
const MAX_ANSWER_CHARS = 7_500;
/** The log's soft limit of 1,000 events, which it keeps in batches of a tenth. */
const MAX_LOGGED_EVENTS = 1_500;

describe.each(backends)('a turn on the %s backend', (backend) => {
  const useMode = shareFaulty(backend);

  it.each<[FaultyMode, readonly unknown[]]>([
    ['garbage', [{ type: 'text', text: 'All good.' }]],
    ['json-null', [{ type: 'text', text: 'All good.' }]],
    ['half-line', [{ type: 'text', text: 'Grüße, 世界 🌍' }]],
    ['late-result', [{ type: 'status', text: expect.stringContaining('no prompt') }, { type: 'text' }]],
  ])('ends well in spite of %s, and so does the next', async (mode, events) => {
    const scene = useMode(mode);

    const started = await start(scene);
    const { sessionId } = started.json;
    const told = await eventsOf(scene, sessionId);
    const replied = await reply(scene, sessionId);

    const result = { result: 'All good.', isError: false, outcome: 'completed' };
    expect(started.json).toMatchObject({ status: 'idle', result: { ...result, turn: 1 } });
    expect(told).toMatchObject([...events, { type: 'result', outcome: 'completed' }]);
    expect(replied.json).toMatchObject({ sessionId, status: 'idle', result: { ...result, turn: 2 } });
  });

  it('passes on what it does not know as raw events', async () => {
    const scene = useMode('unknown-types');

    const { sessionId, status, result } = (await start(scene)).json;
    const told = await eventsOf(scene, sessionId);

    expect({ status, result }).toMatchObject({
      status: 'idle',
      result: { result: 'All good.', isError: false },
    });
    expect(told.slice(0, 2)).toEqual([
      { seq: 1, type: 'raw', messageType: 'hologram' },
      { seq: 2, type: 'raw', messageType: 'system/weather_report' },
    ]);
  });

  it('has the first of two results; the second is only reported', async () => {
    const scene = useMode('double-result');

    const { sessionId } = (await start(scene)).json;
    const again = await reply(scene, sessionId);

    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'All good.', turn: 2 } });
    // The second result comes right behind the first, which has ended the wait.
    await vi.waitFor(async () => {
      const told = await eventsOf(scene, sessionId);
      expect(told.map(({ type }) => type)).toEqual(['text', 'result', 'status', 'text', 'result', 'status']);
    });
  });

  it.each<[FaultyMode, string, string]>([
    [
      'dialog',
      '"behavior":"cancelled"',
      'Claude Code opened a dialog (refusal_fallback_prompt), which was cancelled',
    ],
    ['elicitation', '"action":"cancel"', 'The MCP server nested asked for input, which was cancelled'],
  ])(
    'that opens a question nobody here can answer (%s) is answered and goes on',
    async (mode, answer, status) => {
      const scene = useMode(mode);

      const started = await start(scene);
      const told = await eventsOf(scene, started.json.sessionId);

      expect(started.json).toMatchObject({
        status: 'idle',
        result: { result: expect.stringContaining(answer), isError: false },
      });
      expect(told).toMatchObject([{ type: 'status', text: status }, { type: 'result' }]);
    },
  );

  it('may clear the conversation and keeps our id', async () => {
    const scene = useMode('clear');

    const { sessionId } = (await start(scene)).json;
    const cleared = await reply(scene, sessionId);
    const got = await scene.server.call('claude_code_session', { action: 'get', sessionId });

    expect(cleared.json).toMatchObject({ sessionId, status: 'idle', result: { isError: false, turn: 2 } });
    expect(got.json).toMatchObject({ sessionId, turn: 2 });
    const record = journalOf(scene, sessionId).fields;
    expect(record).toMatchObject({ sessionId, claudeSessionId: expect.not.stringContaining(sessionId) });
  });

  it('that says five megabytes in one line is cut, and the cut is told', async () => {
    const scene = useMode('huge-line');

    const started = await start(scene);
    const told = await scene.server.call('claude_code_check', {
      sessionId: started.json.sessionId,
      cursor: 0,
      waitMs: 0,
      include: ['events'],
    });

    expect(started.json).toMatchObject({ status: 'idle', result: { result: 'All good.' } });
    expect(told.text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARS);
    expect(told.json.events?.[0]).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^x+ …\[\d+ characters hidden\]… x+$/),
    });
  });
});

// The log of a session is the same for both backends.
it('a flood keeps answers short and the log bounded, and loses no result', async () => {
  const scene = await startScene({ era: 'modern', env: faultyCli('flood', { count: 20_000 }) });

  const started = await start(scene);
  const { sessionId } = started.json;
  const pages = [];
  for (let cursor: number | string = 0, more = true; more; more = cursor !== started.json.cursor) {
    const page = await scene.server.call('claude_code_check', {
      sessionId,
      cursor,
      waitMs: 0,
      maxEvents: 500,
      include: ['events'],
    });
    pages.push(page);
    cursor = page.json.cursor;
  }

  expect(started.json).toMatchObject({
    status: 'idle',
    result: { result: 'Sent 20000 events.' },
    cursor: 20_001,
  });
  expect(Math.max(...pages.map((page) => page.text.length))).toBeLessThanOrEqual(MAX_ANSWER_CHARS);
  const events = pages.flatMap((page) => page.json.events ?? []);
  expect(events.length).toBeLessThanOrEqual(MAX_LOGGED_EVENTS);
  expect(events.length + (pages[0]?.json.droppedEvents ?? 0)).toBe(20_001);
  expect(events.at(-1)).toMatchObject({ type: 'result', seq: 20_001 });
});
