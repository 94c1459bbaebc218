import { expect, it } from 'vitest';
import type { RecordedSession } from '../../../src/console/sessions/kept-sessions.js';
import { watchSession } from '../../../src/console/sessions/watch.js';
import { LiveLine } from '../../../src/console/terminal/live-line.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { eventsOf, hostile, plain, recordOf, running, shownHostile } from './session-samples.js';

const events = eventsOf(
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: `Bash: ${hostile}` },
  { type: 'tool_result', toolUseId: 't', isError: true, text: `Exit code 1\n${hostile}\nno such file\n` },
  { type: 'input_resolved', requestId: 'r', decision: 'allow', answeredBy: 'page', device: 'Phone' },
  { type: 'tool_result', toolUseId: 't', isError: true, text: 'a\n…\nb', chars: 90_000 },
  { type: 'input_resolved', requestId: 's', decision: 'deny', answeredBy: 'caller' },
  { type: 'input_resolved', requestId: 't', decision: 'none', answeredBy: 'withdrawn' },
  { type: 'result', outcome: 'completed', text: 'Done.' },
);

/** Shows each of these states after the other. */
async function watch(states: readonly (RecordedSession | undefined)[], columns?: number) {
  let written = '';
  const clock = new FakeClock(75_000);
  const line = new LiveLine({
    write: (text) => (written += text),
    clock,
    columns: columns === undefined ? undefined : () => columns,
  });
  const left = [...states];
  const isGood = await watchSession(
    {
      read: async () => (left.length > 1 ? left.shift() : left[0]),
      changed: async () => clock.advance(100),
      written: async () => undefined,
    },
    { command: 'claude-code-mcp', line, paint: plain, columns: () => columns },
  );
  line.end();
  return { isGood, written, clock };
}

it('prints each event once until the turn ends', async () => {
  const { isGood, written } = await watch([
    { ...running(), events: events.slice(0, 2) },
    { ...running(), events: events.slice(0, 3) },
    { record: recordOf(), serverPid: undefined, events },
  ]);

  expect(isGood).toBe(true);
  expect(written).toBe(`12:00:00  • I look.
12:00:01  ▸ Bash: ${shownHostile}
12:00:02  ✗ Exit code 1 (and 2 more lines)
12:00:03  ↳ Allowed by a person on “Phone”
12:00:04  ✗ a (and at least 2 more lines)
12:00:05  ↳ Denied by the client that started the session
12:00:06  ↳ Closed by Claude Code, which withdrew the request
12:00:07  ✓ Turn completed
idle  $0.42  Result: claude-code-mcp show 1b9d6bcd
`);
});

it('breaks lines between words, with the text in its own column', async () => {
  const text = 'one two three four five 日本語 six\n- seven eight nine ten eleven';
  const long = { record: recordOf({ turn: 1 }), serverPid: undefined };

  const { written } = await watch(
    [
      {
        ...long,
        events: eventsOf({ type: 'text', text }, { type: 'result', outcome: 'completed', text: '' }),
      },
    ],
    34,
  );

  expect(written).toContain(
    [
      '12:00:00  • one two three four',
      '            five 日本語 six',
      '            - seven eight nine ten',
      '            eleven',
      '',
    ].join('\n'),
  );
});

it('waits for the last events, which are written after the record', async () => {
  const atRest = { record: recordOf({ turn: 1 }), serverPid: undefined };

  const { written } = await watch([
    { ...atRest, events: [] },
    { ...atRest, events },
  ]);

  expect(written).toMatch(/I look\.\n[^]*Turn completed\nidle {2}\$0\.42/);
});

it('shows time, cost and activity in the last line of a terminal', async () => {
  const request = { requestId: 'r', summary: 'Bash: npm test' };
  const { written, clock } = await watch(
    [
      { ...running(), events: events.slice(0, 2) },
      { ...running(), events: events.slice(0, 3) },
      running({ status: 'waiting', requests: [request] }),
      { record: recordOf(), serverPid: undefined, events: [] },
    ],
    70,
  );

  const frames = written.split('\r\u001b[2K').filter((frame) => /^[⠀-⣿]/.test(frame));
  expect(frames).toContain(`⠋ running  1m 05s  $0.42 + ≤$0.08  Bash: ${shownHostile}`);
  expect(frames).toContain('⠙ running  1m 05s  $0.42 + ≤$0.08  thinking');
  expect(frames).toContain('⠹ waiting  1m 05s  Answer in your client, or: claude-code-mcp open  …');
  expect(frames.filter((frame) => frame.length > 69)).toEqual([]);
  expect(written.endsWith('claude-code-mcp show 1b9d6bcd\n')).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

it.each([
  ['failed', { record: recordOf({ status: 'error' }), serverPid: undefined, events: [] }, 'error  $0.42'],
  ['was deleted', undefined, 'The session was deleted.'],
])('reports a session that %s', async (_, state, words) => {
  const { isGood, written } = await watch([running(), state]);

  expect(isGood).toBe(false);
  expect(written).toContain(words);
});
