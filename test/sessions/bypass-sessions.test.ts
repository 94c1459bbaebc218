import { expect, it } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { BypassSessions } from '../../src/sessions/bypass-sessions.js';

it('ends the sessions of the client, without those that are gone', async () => {
  const sessions = new BypassSessions();
  const ended: SessionId[] = [];
  sessions.note('a' as SessionId, 'client');
  sessions.note('b' as SessionId, 'client');
  sessions.note('c' as SessionId, 'another client');
  sessions.drop('a' as SessionId);

  await sessions.end('client', (id) => {
    ended.push(id);
    return undefined;
  });

  expect(ended).toEqual(['b']);
});

it('ends a session that another client has prompted since, which may be queued behind a turn of the first', async () => {
  const sessions = new BypassSessions();
  const [first, second]: [SessionId[], SessionId[]] = [[], []];
  sessions.note('a' as SessionId, 'client');
  sessions.note('a' as SessionId, 'another client');

  await sessions.end('client', (id) => void first.push(id));
  await sessions.end('another client', (id) => void second.push(id));

  expect([first, second]).toEqual([['a'], []]);
});
