import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolScene, parse, startVia, type Json } from './tool-scene.js';

describe('claude_code_check', () => {
  it('waits for the result and shows it, with a cursor behind it', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);

    const checked = scene.callJson('claude_code_check', { sessionId, waitMs: 10_000 });
    process.event({ type: 'text', text: 'working' });
    process.result({ result: 'done' });

    expect(await checked).toEqual({
      sessionId,
      status: 'idle',
      result: {
        result: 'done',
        isError: false,
        outcome: 'completed',
        turn: 1,
        durationMs: 10,
        numTurns: 1,
        totalCostUsd: 0.01,
        sessionTotalTurns: 1,
        sessionTotalCostUsd: 0.01,
      },
      cursor: 2,
    });
  });

  it('shows what a running session is doing', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.event({ type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 'Bash: npm test' });

    const checked = await scene.callJson('claude_code_check', { sessionId, waitMs: 0 });

    expect(checked).toEqual({ sessionId, status: 'running', activity: '`Bash: npm test`, 0 s', cursor: 1 });
  });

  it('names what was denied, and shows usage only when asked for', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result({
      permissionDenials: [{ tool_name: 'Bash', tool_input: { command: 'rm' } }, null, 'x'],
      usage: { input_tokens: 5 },
      modelUsage: { haiku: { costUSD: 1 } },
      stopReason: 'end_turn',
      durationApiMs: 3,
    });

    const plain = await scene.callJson('claude_code_check', { sessionId });
    const full = await scene.callJson('claude_code_check', { sessionId, include: ['usage', 'tools'] });

    const details = ['usage', 'modelUsage', 'stopReason', 'durationApiMs'];
    expect(plain['result']).toMatchObject({ permissionDenials: ['Bash', 'unknown', 'unknown'] });
    expect(details.filter((key) => key in (plain['result'] as Json))).toEqual([]);
    expect(details.filter((key) => key in (full['result'] as Json))).toEqual(details);
    expect(full['availableTools']).toEqual([]);
  });

  it('does not tell a result again that the cursor has passed', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result();

    const { cursor } = await scene.callJson('claude_code_check', { sessionId });
    const again = await scene.callJson('claude_code_check', { sessionId, cursor });

    expect(again).not.toHaveProperty('result');
    expect(again).toMatchObject({ status: 'idle', cursor });
  });

  it('says only what is new to a caller with a cursor of an earlier answer', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene, { title: 'migration' });
    process.event({ type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 'Bash: npm test' });
    const check = (args: Json) => scene.callJson('claude_code_check', { sessionId, waitMs: 0, ...args });

    const { cursor } = await check({});
    const later = await check({ cursor });
    void process.ask({ input: { command: 'npm test', description: 'Run it' }, claudeSays: 'Run it' });
    const asked = await check({ cursor });

    expect(later).toEqual({ status: 'running', activity: '`Bash: npm test`, 0 s', cursor });
    expect(asked).toEqual({
      status: 'waiting',
      actions: [
        {
          requestId: expect.any(String),
          type: 'permission',
          toolName: 'Bash',
          input: { command: 'npm test', description: 'Run it' },
          accepts: ['allow', 'allow_for_session', 'deny'],
          expiresAt: expect.any(String),
        },
      ],
      cursor: 2,
    });
  });

  it('sums a request up if its input is truncated', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    void process.ask({ input: { command: `npm test ${'x'.repeat(9_000)}` } });

    const { actions } = await scene.callJson('claude_code_check', { sessionId, waitMs: 0 });

    expect(actions).toMatchObject([
      { summary: expect.stringContaining('Bash: `npm test x'), readMore: expect.any(String) },
    ]);
  });

  it('takes the beginning of an id, of one session and of several', async () => {
    const scene = await createToolScene();
    const [first, second] = [await startVia(scene), await startVia(scene)];
    first.process.result({ result: 'one' });
    const starts = [first, second].map(({ sessionId }) => sessionId.slice(0, 8));

    const one = await scene.callJson('claude_code_check', { sessionId: starts[0] });
    const both = await scene.callJson('claude_code_check', { sessionIds: [...starts, first.sessionId] });

    expect(one).toMatchObject({ sessionId: first.sessionId, result: { result: 'one' } });
    expect(both).toMatchObject({
      sessions: [{ sessionId: first.sessionId }, { sessionId: second.sessionId }],
    });
    expect(both['sessions']).toHaveLength(2);
  });

  it('takes a cursor as text, and refuses one of another kind or past the end', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);
    const check = (cursor: unknown) => scene.call('claude_code_check', { sessionId, cursor, waitMs: 0 });

    expect(await check('0')).toContain('"status":"running"');
    expect(await check('abc:1')).toMatch(
      /^Error \[INVALID_ARGUMENT\]: this cursor does not belong to a check of one session/,
    );
    expect(await check(7)).toMatch(/^Error \[INVALID_ARGUMENT\]: cursor 7 is past the end \(0\).*0/);
  });

  it('waits no longer than the operator grants, and says so', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);
    const timers = scene.clock.pendingTimers;

    const checked = scene.callJson('claude_code_check', { sessionId, waitMs: 600_000 });
    await untilTimers(scene.clock, timers + 1);
    scene.clock.advance(45_000);

    expect(await checked).toMatchObject({ status: 'running', waitLimitMs: 45_000 });
  });

  it('needs one session or several, not both and not none', async () => {
    const { call } = await createToolScene();

    expect(await call('claude_code_check', {})).toContain('pass exactly one of sessionId and sessionIds');
    expect(await call('claude_code_check', { sessionId: 'a', sessionIds: ['a'] })).toContain(
      'pass exactly one of sessionId and sessionIds',
    );
  });

  it('says that an unknown session is unknown', async () => {
    const { call } = await createToolScene();

    const answer = await call('claude_code_check', { sessionId: '99999999-0000-4000-8000-000000000000' });

    expect(answer).toMatch(/^Error \[SESSION_NOT_FOUND\]: .*claude_code_session/);
  });
});

describe('events', () => {
  it('are paged by the cursor without losing one', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    for (let index = 1; index <= 120; index += 1) process.event({ type: 'text', text: `line ${index}` });

    const seqs: unknown[] = [];
    for (let cursor: unknown = 0; seqs.length < 120;) {
      const page = await scene.callJson('claude_code_check', {
        sessionId,
        cursor,
        waitMs: 0,
        include: ['events'],
        maxEvents: 30,
      });
      const events = page['events'] as Json[];
      expect(events.length).toBeLessThanOrEqual(30);
      seqs.push(...events.map(({ seq }) => seq));
      cursor = page['cursor'];
    }

    expect(seqs).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  });

  // The cursor of several sessions stands at the end of each log, also when not all of its events were shown.
  it('of several sessions are paged without losing one', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    for (let index = 1; index <= 20; index += 1) process.event({ type: 'text', text: `line ${index}` });
    const args = { sessionIds: [sessionId], waitMs: 0, include: ['events'], maxEvents: 10 };

    const first = await scene.callJson('claude_code_check', args);
    const second = await scene.callJson('claude_code_check', { ...args, cursor: first['cursor'] });

    const [snapshot] = second['sessions'] as Json[];
    expect(snapshot?.['events']).toHaveLength(10);
  });
});

describe('several sessions', () => {
  it('come in one answer with one cursor', async () => {
    const scene = await createToolScene();
    const [first, second] = [await startVia(scene), await startVia(scene, { title: 'the second' })];
    first.process.result({ result: 'one' });

    const sessionIds = [first.sessionId, second.sessionId, first.sessionId.toUpperCase()];
    const answer = await scene.callJson('claude_code_check', { sessionIds });

    expect(answer).toMatchObject({
      sessions: [
        { sessionId: first.sessionId, status: 'idle', result: { result: 'one' } },
        { sessionId: second.sessionId, title: 'the second', status: 'running' },
      ],
    });
    expect(answer['cursor']).toBe(`${first.sessionId.slice(0, 8)}:1,${second.sessionId.slice(0, 8)}:0`);
  });

  it('tell only the news after the cursor', async () => {
    const scene = await createToolScene();
    const [first, second] = [await startVia(scene), await startVia(scene)];
    const sessionIds = [first.sessionId, second.sessionId];
    first.process.result({ result: 'one' });
    const { cursor } = await scene.callJson('claude_code_check', { sessionIds });

    const checked = scene.callJson('claude_code_check', { sessionIds, cursor });
    second.process.result({ result: 'two' });

    const [one, two] = (await checked)['sessions'] as Json[];
    expect(one).not.toHaveProperty('result');
    expect(two).toMatchObject({ result: { result: 'two' } });
  });

  it('read everything from cursor 0', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result({ result: 'one' });

    const answer = await scene.callJson('claude_code_check', { sessionIds: [sessionId], cursor: 0 });

    expect(answer).toMatchObject({ sessions: [{ sessionId, result: { result: 'one' } }] });
  });

  it.each([{ resultOffset: 0 }, { requestId: 'r1' }])('refuse %j, which reads one session', async (page) => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);

    const answer = await scene.call('claude_code_check', { sessionIds: [sessionId], ...page });

    expect(answer).toBe(
      `Error [INVALID_ARGUMENT]: ${Object.keys(page)[0]} applies to a single session. Pass sessionId instead of sessionIds.`,
    );
  });

  it('refuse a cursor that is not theirs', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);

    const answer = await scene.call('claude_code_check', { sessionIds: [sessionId], cursor: 'x', waitMs: 0 });

    expect(answer).toMatch(
      /^Error \[INVALID_ARGUMENT\]: this cursor does not belong to a check of several sessions/,
    );
  });
});

describe('a page', () => {
  it('after the other gives the whole result, whatever is in it', async () => {
    const unit = fc.string({
      unit: fc.constantFrom('a', '"', '\n', '\u0001', '😀'),
      minLength: 1,
      maxLength: 5,
    });
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result();
    await fc.assert(
      fc.asyncProperty(unit, fc.integer({ min: 1, max: 3_000 }), async (words, times) => {
        const whole = words.repeat(times);
        process.unsolicitedResult({ result: whole });

        let read = '';
        for (let offset: unknown = 0; offset !== undefined;) {
          const text = await scene.call('claude_code_check', { sessionId, resultOffset: offset });
          expect(text.length).toBeLessThanOrEqual(7_500);
          const page = parse(text);
          expect(page['totalChars']).toBe(whole.length);
          read += String(page['text']);
          offset = page['nextOffset'];
        }

        expect(read).toBe(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('shows the input of an open request', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    void process.ask({ input: { command: 'x'.repeat(9_000) } });
    const { actions } = await scene.callJson('claude_code_check', { sessionId });
    const [action] = actions as Json[];

    const page = await scene.callJson('claude_code_check', {
      sessionId,
      requestId: action?.['requestId'],
      resultOffset: 9_000,
    });

    expect(page).toMatchObject({
      status: 'waiting',
      offset: 9_000,
      totalChars: 9_014,
      text: `${'x'.repeat(12)}"}`,
    });
    expect(action?.['inputChars']).toBe(9_014);
  });

  it('is refused past the end, and where there is nothing', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    const page = (args: Json) => scene.call('claude_code_check', { sessionId, ...args });

    expect(await page({ resultOffset: 0 })).toContain('this session has no result yet');
    expect(await page({ requestId: 'nope' })).toContain('request nope is not open in this session');
    process.result({ result: 'done' });
    expect(await page({ resultOffset: 5 })).toContain('offset 5 is past the end of this text (4)');
  });
});

/** The call has come as far as waiting when its timer is set. */
async function untilTimers(clock: { pendingTimers: number }, count: number): Promise<void> {
  while (clock.pendingTimers < count) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
