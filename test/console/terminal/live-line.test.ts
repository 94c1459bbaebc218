import { expect, it } from 'vitest';
import { movingColumnsOf } from '../../../src/bin/fitted.js';
import { watchSession } from '../../../src/console/sessions/watch.js';
import { LiveLine } from '../../../src/console/terminal/live-line.js';
import { widthOf } from '../../../src/console/terminal/width.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { eventsOf, plain, recordOf, running } from '../sessions/session-samples.js';

const clearLine = '\r\u001b[2K';

it.each([4, 8, 12, 22, 40])('the last line of a terminal of %d columns does not wrap', async (columns) => {
  const written: string[] = [];
  const clock = new FakeClock(75_000);
  const line = new LiveLine({ write: (text) => void written.push(text), clock, columns: () => columns });
  const states = [
    { ...running(), events: eventsOf() },
    { record: recordOf(), serverPid: undefined, events: [] },
  ];

  await watchSession(
    {
      read: async () => (states.length > 1 ? states.shift() : states[0]),
      changed: async () => clock.advance(100),
      written: async () => undefined,
    },
    { command: 'claude-code-mcp', line, paint: plain, columns: () => columns },
  );
  line.end();

  const moving = written
    .filter((text) => text.startsWith(clearLine))
    .map((text) => text.slice(clearLine.length));
  expect(moving.length).toBeGreaterThan(0);
  expect(Math.max(...moving.map(widthOf))).toBeLessThan(columns);
});

it.each([
  [{ isTTY: true, columns: 60 }, {}, 60],
  [{ isTTY: true, columns: 0 }, { TERM: 'xterm' }, 80],
  [{ isTTY: true, columns: 60 }, { TERM: 'dumb' }, undefined],
  [{ isTTY: false, columns: 0 }, {}, undefined],
])('of %j with %j, a line that moves has %s columns', (stream, environment, columns) => {
  expect(movingColumnsOf(stream, environment)?.()).toBe(columns);
});
