import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../src/core/observability/logger.js';
import type { SessionRecord } from '../../src/state/record.js';
import { FakeClock } from '../kit/fake-clock.js';
import { CountedLocks } from '../kit/locks.js';
import { openState, type StateOptions } from '../kit/state.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { plainRecord } from '../kit/records.js';

const dayMs = 86_400_000;
const [one, two, three] = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];
const claudeId = 'cccccccc-0000-4000-8000-000000000000';

type Logged = readonly [level: string, message: string, fields: LogFields];

async function createScene(options: Partial<StateOptions> = {}) {
  const stateDir = temporaryFolder();
  const clock = new FakeClock(Date.now());
  const logged: Logged[] = [];
  const logger = {
    log: (...[level, message, fields = {}]: [string, string, LogFields?]): void =>
      void logged.push([level, message, fields]),
  };
  const locks = new CountedLocks();
  const open = () => openState({ stateDir, clock, logger, locks, keepMs: 90 * dayMs, ...options });
  const { records, server } = await open();
  const at = (name: string): string => join(stateDir, name);
  /** Sets the age of a file, which is created if there is none. */
  const put = (name: string, days: number, content?: string): void => {
    mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 });
    if (content !== undefined || !existsSync(at(name))) writeFileSync(at(name), content ?? '');
    const seconds = (clock.now() - days * dayMs) / 1_000;
    utimesSync(at(name), seconds, seconds);
  };
  /** A session that was last used this many days ago. */
  const save = async (sessionId: string, days: number, more: Partial<SessionRecord> = {}): Promise<void> => {
    await records.save({ ...recordOf(sessionId), ...more });
    await records.release(sessionId);
    put(`sessions/${sessionId}.jsonl`, days);
  };
  return {
    clock,
    locks,
    logged,
    server,
    put,
    save,
    /** A fork, which shares the budget of another session. */
    saveFork: async (
      sessionId: string,
      root: string,
      ages: { readonly fork: number; readonly root: number },
    ): Promise<void> => {
      await records.noteFork(root, sessionId);
      await save(sessionId, ages.fork, { potId: root });
      put(`sessions/${root}.jsonl`, ages.root);
    },
    prune: async (inMemory: readonly string[] = []): Promise<void> => {
      const { pruner } = await open();
      await pruner.pruneIfDue((id) => inMemory.includes(id));
    },
    left: (folder = 'sessions'): string[] =>
      readdirSync(at(folder)).filter((name) => statSync(join(at(folder), name)).isFile()),
  };
}

function recordOf(sessionId: string): SessionRecord {
  return plainRecord(sessionId, { totals: { turns: 1, costUsd: 0.25 } });
}

describe('sessions that have not been used for long', () => {
  it('are deleted with everything about them, and the log says how many', async () => {
    const { put, save, prune, left, logged } = await createScene();
    await save(one, 91, { claudeSessionId: claudeId });
    await save(two, 89);
    for (const name of [`${one}.jsonl`, `${one}.older.jsonl`, `${two}.jsonl`])
      put(`sessions/events/${name}`, 91);
    for (const name of [`sessions/${three}.json`, `budgets/${three}.jsonl`]) put(name, 91, '{}');
    put(`sessions/aliases/${claudeId}`, 91);

    await prune();

    expect(left()).toEqual([`${two}.jsonl`]);
    expect(left('sessions/events')).toEqual([`${two}.jsonl`]);
    expect(left('sessions/aliases')).toEqual([]);
    expect(left('budgets')).toEqual([]);
    expect(logged).toEqual([['info', 'deleted old sessions', { sessions: 2, bytes: expect.any(Number) }]]);
  });

  it('are kept for ever if the operator says so', async () => {
    const { save, prune, left } = await createScene({ keepMs: 0 });
    await save(one, 9_999);

    await prune();

    expect(left()).toEqual([`${one}.jsonl`]);
  });

  it('are young if only their events are', async () => {
    const { put, save, prune, left } = await createScene();
    await save(one, 91);
    put(`sessions/events/${one}.jsonl`, 1);

    await prune();

    expect(left()).toEqual([`${one}.jsonl`]);
  });

  it('are kept if this server has them in memory, or another one has locked them', async () => {
    const { save, prune, left, locks } = await createScene();
    await save(one, 91);
    await save(two, 91, { claudeSessionId: claudeId });
    await save(three, 91);
    locks.others.set(claudeId, { pid: 7 });

    await prune([one]);

    expect(left()).toEqual([`${one}.jsonl`, `${two}.jsonl`]);
    expect([...locks.ours]).toEqual([]);
  });

  it('are kept while a server works on them, and deleted once it is gone', async () => {
    const { save, prune, left, server } = await createScene();
    const openTurn = { turn: 1, startedAt: 1_000, prompts: ['x'] };
    await save(one, 91, { openTurn, server });
    await save(two, 91, { openTurn, server: '99.0123456789abcdef' });

    await prune();

    expect(left()).toEqual([`${one}.jsonl`]);
  });

  it('are kept if a newer version has written to them, which is logged once', async () => {
    const { put, save, prune, left, logged } = await createScene();
    await save(one, 91);
    for (const id of [two, three]) put(`sessions/${id}.jsonl`, 91, '{"v":3}\n');

    await prune();

    expect(left()).toEqual([`${two}.jsonl`, `${three}.jsonl`]);
    expect(logged.map(([level, message]) => [level, message])).toEqual([
      ['warn', 'old sessions could not be deleted'],
      ['info', 'deleted old sessions'],
    ]);
  });
});

describe('sessions that share a budget', () => {
  it.each([
    ['the fork', { fork: 1, root: 91 }],
    ['the session it came from', { fork: 91, root: 1 }],
  ])('are kept while %s is young', async (_who, ages) => {
    const { save, saveFork, prune, left } = await createScene();
    await save(one, ages.root);
    await saveFork(two, one, ages);

    await prune();

    expect(left()).toEqual([`${one}.jsonl`, `${two}.jsonl`]);
  });

  it('are deleted together', async () => {
    const { save, saveFork, prune, left } = await createScene();
    await save(one, 93);
    await saveFork(two, one, { fork: 91, root: 93 });
    await saveFork(three, one, { fork: 92, root: 93 });

    await prune();

    expect(left()).toEqual([]);
  });

  it('are kept if one of them is in use', async () => {
    const { save, saveFork, prune, left } = await createScene();
    await save(one, 93);
    await saveFork(two, one, { fork: 91, root: 93 });

    await prune([one]);

    expect(left()).toEqual([`${one}.jsonl`, `${two}.jsonl`]);
  });

  it('are found even if version 0.1 did not note the fork', async () => {
    const { put, save, prune, left } = await createScene();
    put(`sessions/${one}.json`, 93, JSON.stringify({ version: 1, ...recordOf(one) }));
    put(`budgets/${one}.jsonl`, 93, '{"costUsd":1}\n');
    await save(two, 1, { potId: one });

    await prune();

    expect(left()).toEqual([`${one}.json`, `${two}.jsonl`]);
    expect(left('budgets')).toEqual([`${one}.jsonl`]);
  });
});

describe('a state folder that is too large', () => {
  const large = 'x'.repeat(1_000_000);

  it('loses its oldest sessions until it is small enough', async () => {
    const { put, save, prune, left } = await createScene({ keepMs: 0, maxBytes: 2_100_000 });
    for (const [id, days] of [
      [one, 5],
      [two, 4],
      [three, 3],
    ] as const) {
      await save(id, days);
      put(`sessions/events/${id}.jsonl`, days, large);
    }

    await prune();

    expect(left()).toEqual([`${two}.jsonl`, `${three}.jsonl`]);
    expect(left('sessions/events')).toEqual([`${two}.jsonl`, `${three}.jsonl`]);
  });

  it('keeps everything of the last two days', async () => {
    const { put, save, prune, left } = await createScene({ keepMs: 0, maxBytes: 1_000 });
    await save(one, 1.9);
    await save(two, 2.1);
    put(`sessions/events/${one}.jsonl`, 1.9, large);

    await prune();

    expect(left()).toEqual([`${one}.jsonl`]);
  });
});

describe('other files', () => {
  it('of old days and unfinished writes are deleted', async () => {
    const { put, prune, left, clock } = await createScene();
    const [old, young] = [91, 89].map((days) =>
      new Date(clock.now() - days * dayMs).toISOString().slice(0, 10),
    );
    for (const name of [`${old}.jsonl`, `${old}.sessions`, `${young}.sessions`, 'notes.txt'])
      put(`usage/${name}`, 0, `${one}\n`);
    put(`sessions/${one}.jsonl.tmp`, 0.05);
    put(`sessions/${two}.jsonl.tmp`, 0.01);
    put('usage/x.tmp', 1);

    await prune();

    expect(left('usage')).toEqual([`${young}.sessions`, 'notes.txt']);
    expect(left()).toEqual([`${two}.jsonl.tmp`]);
  });

  it('of the audit log and of other programs are never touched', async () => {
    const { put, prune, left } = await createScene({ maxBytes: 1 });
    for (const name of ['audit/key', 'sessions/readme.txt', 'sessions/events/x.jsonl', 'budgets/x.jsonl'])
      put(name, 9_999, 'x');

    await prune();

    expect(left('audit')).toEqual(['key']);
    expect(left()).toEqual(['readme.txt']);
    expect(left('sessions/events')).toEqual(['x.jsonl']);
    expect(left('budgets')).toEqual(['x.jsonl']);
  });
});

describe('all servers of a state folder together', () => {
  it('prune once a day', async () => {
    const { save, prune, left, clock } = await createScene();
    await prune();
    await save(one, 91);

    await prune();
    const soon = left();
    clock.advance(dayMs);
    await prune();

    expect(soon).toEqual([`${one}.jsonl`]);
    expect(left()).toEqual([]);
  });

  it('prune even if the clock was set back', async () => {
    const { put, save, prune, left, clock } = await createScene();
    put('pruned', 0, String(clock.now() + 400 * dayMs));
    await save(one, 91);

    await prune();

    expect(left()).toEqual([]);
  });

  it('do nothing where there is no folder', async () => {
    const { prune, logged } = await createScene({ stateDir: join(temporaryFolder(), 'missing') });

    await prune();

    expect(logged).toEqual([]);
  });
});
