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
