import { expect, it } from 'vitest';
import { findSession } from '../../../src/console/sessions/find-session.js';
import { CommandFailure } from '../../../src/console/terminal/failure.js';
import type { SessionId } from '../../../src/core/ids.js';

const ids = ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', '1b9daaaa-bbfd-4b2d-9b5d-ab8dfbbd4bed'] as SessionId[];
const find = (typed: string) =>
  findSession(typed, async (prefix) => ids.filter((id) => id.startsWith(prefix)));

it.each(['1b9d6', ' 1B9D6BCD ', '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'])(
  '%j means one session',
  async (typed) => {
    expect(await find(typed)).toBe(ids[0]);
  },
);

it.each([
  ['1b9', '2 sessions have an id that begins with 1b9. Type more of it:\n  1b9d6bcd-'],
  ['2', 'No session has an id that begins with 2. Run claude-code-mcp sessions'],
  ['../x', '../x is not the id of a session. Run claude-code-mcp sessions'],
  ['\u001b[2J', '\\u{1b}[2J is not the id of a session.'],
])('%j is refused with the next step', async (typed, message) => {
  const refused = find(typed);

  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(CommandFailure);
});
