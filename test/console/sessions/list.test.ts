import { expect, it } from 'vitest';
import { listIds, listJson, listText } from '../../../src/console/sessions/list.js';
import type { ListedSession, SessionListPage } from '../../../src/sessions/session-list.js';
import { plainOptions } from '../../kit/records.js';
import { hostile, id, plain, shownHostile } from './session-samples.js';

const now = Date.UTC(2026, 0, 2);
const layout = { paint: plain, home: '/home/me', now, columns: undefined };
const otherId = '2c9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

const ours: ListedSession = {
  sessionId: id,
  ours: {
    id: id as never,
    claudeSessionId: id,
    title: 'Fix the test',
    firstPrompt: 'please',
    options: plainOptions,
    folder: '/home/me/app',
    shownOptions: plainOptions,
    state: { status: 'running', outcome: undefined },
    turnNumber: 1,
    totals: { turns: 1, costUsd: 0.42 },
    elsewhere: 4711,
    isLive: false,
    activity: () => undefined,
  },
  disk: undefined,
  lastUsedAt: now - 65_000,
  ownerPid: undefined,
};

const onDisk: ListedSession = {
  sessionId: otherId,
  ours: undefined,
  disk: { cwd: '/srv', title: undefined, firstPrompt: hostile, origin: 'terminal', bytes: 1 },
  lastUsedAt: now - 3 * 86_400_000,
  ownerPid: undefined,
};

const page: SessionListPage = { entries: [ours, onDisk], more: 3, skipped: 1 };

it('is a table of both kinds of sessions, with escaped texts', () => {
  expect(listText(page, layout)).toBe(
    [
      'ID        STATUS   TITLE                       FOLDER   COST  AGE',
      '1b9d6bcd  running  Fix the test                ~/app   $0.42   1m',
      `2c9d6bcd  on disk  ${shownHostile}  /srv        –   3d`,
      '',
      '3 more sessions: add --limit 5',
      '1 file could not be read',
      '',
    ].join('\n'),
  );
});

it('fits the terminal by shortening titles and folders', () => {
  const long = { ...ours, ours: ours.ours && { ...ours.ours, title: '日本語'.repeat(20) } };

  const [, line = ''] = listText({ entries: [long], more: 0, skipped: 0 }, { ...layout, columns: 60 }).split(
    '\n',
  );

  expect(line).toMatch(/^1b9d6bcd {2}running {2}(?:日本語)+日?本?… +~\/app {3}\$0\.42 {3}1m$/);
  expect(line.replaceAll(/[日本語]/g, 'xx').length).toBeLessThanOrEqual(60);
});

it('says how sessions start where there is none', () => {
  const none = { entries: [], more: 0, skipped: 0 };

  expect(listText(none, layout)).toMatch(/^No sessions found\./);
  expect(listText(none, { ...layout, wanted: 'heron' })).toBe(
    'No session has "heron" in its title, first prompt or folder.\n',
  );
});

it('has the same facts for programs', () => {
  expect(JSON.parse(listJson(page))).toEqual({
    sessions: [
      {
        sessionId: id,
        status: 'running',
        title: 'Fix the test',
        folder: '/home/me/app',
        costUsd: 0.42,
        lastUsedAt: '2026-01-01T23:58:55.000Z',
        pid: 4711,
      },
      {
        sessionId: otherId,
        status: 'on disk',
        title: shownHostile,
        folder: '/srv',
        lastUsedAt: '2025-12-30T00:00:00.000Z',
      },
    ],
    more: 3,
    skipped: 1,
  });
  expect(listIds(page)).toBe(`${id}\n${otherId}\n`);
});
