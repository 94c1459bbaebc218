import { expect, it } from 'vitest';
import { showJson, showOnDisk, showRecorded } from '../../../src/console/sessions/show.js';
import { cutOff } from '../../../src/sessions/records/recovery.js';
import { eventsOf, hostile, id, plain, recordOf, running, shownHostile } from './session-samples.js';

const layout = { command: 'npx .', paint: plain, home: '/home/me', now: 62_000, columns: undefined };
const noOwners = { holderPid: undefined, claudePid: undefined };

it('shows a waiting session with its requests, and how to answer them', () => {
  const session = running({
    status: 'waiting',
    requests: [{ requestId: 'r1', summary: `Bash: ${hostile}` }],
    queue: ['next'],
  });
  const events = eventsOf(
    { type: 'text', text: `Hello\n${hostile}` },
    { type: 'tool_use', toolUseId: 't', toolName: 'Bash', summary: 'Bash: ls' },
    { type: 'tool_result', toolUseId: 't', isError: false, text: 'a file' },
    { type: 'raw', messageType: 'x' },
  );

  expect(showRecorded({ ...session, events }, noOwners, layout)).toBe(`Fix the test

  Session    ${id}
  Folder     ~/app
  Status     waiting in the server with process id 4711
  Started    1m ago, last change 1m ago
  Cost       $0.42 in 2 model turns, up to $0.08 more for the running turn
  Queued     1 prompt

Open requests
  r1  Bash: ${shownHostile}

Last events
  12:00:00  • Hello
  12:00:01  ▸ Bash: ls

Next
  Answer in your client, or on the page  npx . open
  Watch it live                          npx . watch 1b9d6bcd
`);
});

it('escapes what a session has written to its own record', () => {
  const session = running({ status: 'waiting', requests: [{ requestId: hostile, summary: 'Bash: ls' }] });

  const shown = showRecorded({ ...session, events: [] }, noOwners, layout);

  expect(shown).toContain(`Open requests\n  ${shownHostile}  Bash: ls\n`);
});

it('breaks lines between words at the width of the terminal', () => {
  const session = running({
    status: 'waiting',
    requests: [{ requestId: 'r1', summary: 'Bash: npm test and some more of it' }],
  });
  const events = eventsOf({ type: 'text', text: 'I look at all the tests.\nThen more.' });

  const shown = showRecorded({ ...session, events }, noOwners, { ...layout, columns: 34 });

  expect(shown).toContain(`Open requests
  r1  Bash: npm test and some more
      of it

Last events
  12:00:00  • I look at all the
              tests.

`);
});

it('shows the result of a session at rest, and how to continue', () => {
  const lastResult = {
    result: `Done.\n${hostile}`,
    isError: false,
    outcome: 'completed' as const,
    turn: 2,
    durationMs: 1,
    numTurns: 1,
    totalCostUsd: 0,
    sessionTotalTurns: 2,
    sessionTotalCostUsd: 0,
  };
  const record = recordOf({ lastResult });

  const text = showRecorded(
    { record, serverPid: undefined, events: [] },
    { ...noOwners, holderPid: 9 },
    layout,
  );

  expect(text).toContain('  Status     idle, ready in the server with process id 9\n');
  expect(text).toContain(`\n\nResult\n  Done.\n  ${shownHostile}\n\n`);
  expect(text).toContain('\n  Continue in this terminal  npx . resume 1b9d6bcd\n');
});

it.each([
  [recordOf({ totals: { turns: 0, costUsd: 0 } }), '$0.00'],
  [running({ totals: { turns: 0, costUsd: 0 } }).record, '$0.00, up to $0.08 more for the running turn'],
  [
    cutOff(running({ totals: { turns: 1, costUsd: 0.42 } }).record, 1),
    '$0.50 in 1 model turn, of which $0.08 is an estimate for the turn that was cut off',
  ],
])('tells an estimate from a cost (%#)', (record, cost) => {
  const text = showRecorded({ record, serverPid: undefined, events: [] }, noOwners, layout);

  expect(text).toContain(`\n  Cost       ${cost}\n`);
});

it('shows the last messages of a session that no server has run', () => {
  const session = {
    cwd: '/home/me/app',
    title: undefined,
    firstPrompt: hostile,
    origin: 'terminal' as const,
    lastUsedAt: 2_000,
    messages: [
      { role: 'user' as const, text: 'hi' },
      { role: 'assistant' as const, text: hostile },
    ],
  };

  expect(showOnDisk(id, session, { ...noOwners, claudePid: 5 }, layout)).toBe(`${shownHostile}

  Session    ${id}
  Folder     ~/app
  Status     open in Claude Code (process 5)
  Last used  1m ago

Last messages
  ❯ hi
  • ${shownHostile}
`);
});

it('has the same facts for programs, in one visible line', () => {
  const text = showJson(running({ firstPrompt: hostile }));

  expect(JSON.parse(text)).toMatchObject({
    sessionId: id,
    status: 'running',
    serverPid: 4711,
    queuedPrompts: 0,
  });
  expect(text).toMatch(/^[\x20-\x7e]+\n$/);
});
