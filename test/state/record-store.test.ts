import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { FakeClock } from '../kit/fake-clock.js';
import { openState } from '../kit/state.js';
import { plainOptions, plainRecord } from '../kit/records.js';

const id = '00000000-0000-4000-8000-000000000001' as SessionId;
const otherId = '00000000-0000-4000-8000-000000000002' as SessionId;

const record = plainRecord(id, { outcome: 'completed', turn: 3, totals: { turns: 5, costUsd: 0.25 } });

async function createStore() {
  const stateDir = await mkdtemp(join(tmpdir(), 'records-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const folder = join(stateDir, 'sessions');
  const { records } = await openState({ stateDir, clock: new FakeClock() });
  return {
    store: records,
    stateDir,
    folder,
    file: join(folder, `${id}.jsonl`),
    oldFile: join(folder, `${id}.json`),
  };
}

const firstFormat = { version: 1, ...record };

/** A journal that says all of this at once. */
function journalOf(fields: object): string {
  return `${JSON.stringify({ v: 2, at: 2_000, set: fields })}\n`;
}

/** Replaces the file as another program might. */
async function put(file: string, content: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

const lastResult = {
  result: 'done',
  isError: false,
  outcome: 'completed',
  startedBy: 'claude_code',
  changedFiles: ['/srv/app/a.txt'],
  turn: 3,
  durationMs: 1,
  numTurns: 1,
  totalCostUsd: 0.1,
  sessionTotalTurns: 5,
  sessionTotalCostUsd: 0.25,
} as const;

it('a long record costs what was added since it was last read', async () => {
  const { store } = await createStore();
  const systemPrompt = 'be kind\n'.repeat(1_500_000);
  const long = { ...record, options: { ...plainOptions, systemPrompt } };
  await store.save(long);
  const load = async () => {
    const begun = performance.now();
    return { loaded: await store.load(id), ms: performance.now() - begun };
  };

  const first = await load();
  await store.save({ ...long, turn: 4, updatedAt: 5_000 });
  const second = await load();

  expect(first.loaded).toMatchObject({ turn: 3, options: { systemPrompt } });
  expect(second.loaded).toMatchObject({ turn: 4, options: { systemPrompt } });
  // It takes about a hundredth of the time.
  expect(second.ms).toBeLessThan(first.ms / 4);
});

it('a long record that many calls read at once is read only a few times', async () => {
  const { file, stateDir } = await createStore();
  const systemPrompt = 'be kind\n'.repeat(150_000);
  const line = journalOf({ ...record, options: { ...plainOptions, systemPrompt } });
  await put(file, line.repeat(5));
  const timed = async (count: number): Promise<number> => {
    const { records } = await openState({ stateDir, clock: new FakeClock() });
    const begun = performance.now();
    const loaded = await Promise.all(Array.from({ length: count }, () => records.load(id)));
    expect(loaded.every((one) => one?.options.systemPrompt === systemPrompt)).toBe(true);
    return performance.now() - begun;
  };
  await timed(1);

  const [one, many] = [await timed(1), await timed(60)];

  // Four of them read all of it.
  expect(many).toBeLessThan(one * 20);
});

it('a record keeps which files the last turn changed, and who started it', async () => {
  const { store } = await createStore();

  await store.save({ ...record, lastResult });

  expect((await store.load(id))?.lastResult).toEqual(lastResult);
});

describe('an id chosen by Claude Code', () => {
  it('leads to the session', async () => {
    const { store } = await createStore();

    await store.save({ ...record, claudeSessionId: otherId });

    expect(await store.findByClaudeId(otherId)).toBe(id);
    expect(await store.idsLike('00000000-0000-4000-8000-000000000002')).toEqual([id]);
  });

  it('leads nowhere if it is unknown or its file was changed', async () => {
    const { store, folder } = await createStore();
    await store.save(record);
    await put(join(folder, 'aliases', otherId), '../../elsewhere');

    const found = await Promise.all([store.findByClaudeId(id), store.findByClaudeId(otherId)]);

    expect(found).toEqual([undefined, undefined]);
  });
});

describe.skipIf(process.platform === 'win32')('a record that is not a file of ours', () => {
  const plants: Record<string, (file: string) => void> = {
    'a named pipe': (file) => void execFileSync('mkfifo', [file]),
    'a folder': (file) => mkdirSync(file),
    'a link to a record': (file) => {
      writeFileSync(`${file}.real`, journalOf(record), { mode: 0o600 });
      symlinkSync(`${file}.real`, file);
    },
    'a link to a device': (file) => symlinkSync('/dev/zero', file),
    'a file that others can write': (file) => {
      writeFileSync(file, journalOf(record));
      chmodSync(file, 0o666);
    },
    'a file of 65 MiB': (file) => {
      writeFileSync(file, '', { mode: 0o600 });
      truncateSync(file, 65 * 1024 * 1024);
    },
  };

  it.each(Object.entries(plants))('counts as damaged: %s', async (_name, plant) => {
    const { store, folder, file } = await createStore();
    mkdirSync(folder, { recursive: true });
    plant(file);

    expect(await store.load(id)).toBeUndefined();
    expect(await store.isDamaged(id)).toBe(true);
  });

  it('does not block other records: pipes, however many', async () => {
    const { store, folder } = await createStore();
    await store.save(record);
    const pipes = Array.from({ length: 16 }, (_, n) => `${id.slice(0, -2)}${String(n + 10)}` as SessionId);
    mkdirSync(join(folder, 'aliases'));
    for (const name of pipes)
      execFileSync('mkfifo', [join(folder, `${name}.jsonl`), join(folder, 'aliases', name)]);

    const loaded = await Promise.all(pipes.flatMap((name) => [store.load(name), store.findByClaudeId(name)]));

    expect(new Set(loaded)).toEqual(new Set([undefined]));
    expect(await store.load(id)).toEqual(record);
  });

  it('is not written to', async () => {
    const { store, folder, file } = await createStore();
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [file]);

    await expect(store.save(record)).rejects.toThrow();

    expect(await store.isDamaged(id)).toBe(true);
  });
});

describe('saving', () => {
  it('preserves the record', async () => {
    const { store } = await createStore();

    await store.save(record);

    expect(await store.load(id)).toEqual(record);
  });

  it.skipIf(process.platform === 'win32')('creates files that only the user can read', async () => {
    const { store, folder, file } = await createStore();

    await store.save(record);

    const modes = await Promise.all([stat(folder), stat(file)]);
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('leaves one complete file and nothing else', async () => {
    const { store, folder } = await createStore();

    await Promise.all([store.save(record), store.save({ ...record, turn: 4 })]);

    expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
  });

  it('keeps the newest of many concurrent records', async () => {
    const { store } = await createStore();

    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.save({
          ...record,
          turn: index,
          options: { ...plainOptions, title: 'x'.repeat(2_000 - index * 100) },
        }),
      ),
    );

    expect(await store.load(id)).toMatchObject({ turn: 19 });
  });

  it('writes only what has changed', async () => {
    const { store, file } = await createStore();
    const { outcome: _outcome, ...without } = record;
    const { updatedAt: _time, ...withoutTime } = record;

    await store.save(record);
    await store.save({ ...record, updatedAt: 3_000, turn: 4 }, { costUsd: 0.5, turns: 1 });
    await store.save({ ...without, updatedAt: 4_000, turn: 4 });
    await store.save({ ...without, updatedAt: 5_000, turn: 4 });

    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { v: 2, at: 2_000, set: withoutTime, whole: true },
      { v: 2, at: 3_000, set: { turn: 4 }, spent: { id: expect.any(String), costUsd: 0.5, turns: 1 } },
      { v: 2, at: 4_000, set: { outcome: null } },
    ]);
    expect(await store.load(id)).toEqual({ ...without, updatedAt: 4_000, turn: 4 });
  });

  it('survives a line that a crash has cut off', async () => {
    const { store, file } = await createStore();
    await store.save(record);
    await appendFile(file, '{"v":2,"at":2500,"set":{"turn"');

    await store.save({ ...record, turn: 5 });

    expect(await store.load(id)).toMatchObject({ turn: 5 });
  });

  it('writes everything again if someone deletes the file', async () => {
    const { store, file } = await createStore();
    await store.save(record);
    await rm(file);

    await store.save({ ...record, turn: 6 });

    expect(await store.load(id)).toEqual({ ...record, turn: 6 });
  });

  it('compacts a long journal, without losing what was spent', async () => {
    const { store, file } = await createStore();
    const costs = Array.from({ length: 60 }, (_, turn) => turn);

    for (const turn of costs)
      await store.save(
        { ...record, turn, lastResult: { ...lastResult, result: `${turn} ${'x'.repeat(10_000)}` } },
        { costUsd: 1, turns: 1 },
      );

    const text = await readFile(file, 'utf8');
    expect(text.length).toBeLessThan(300_000);
    expect(text.match(/"spent"/g)).toHaveLength(60);
    expect(await store.load(id)).toMatchObject({ turn: 59 });
  });

  it('never brings a cancelled session back', async () => {
    const { store } = await createStore();
    await store.save({ ...record, status: 'cancelled' });

    await store.save({ ...record, status: 'idle' });

    expect(await store.load(id)).toMatchObject({ status: 'cancelled' });
  });

  it('continues after a failed write', async () => {
    const { store, folder } = await createStore();
    await writeFile(folder, 'a file where the folder should be');

    await expect(store.save(record)).rejects.toThrow();
    await rm(folder);
    await store.save({ ...record, turn: 9 });

    expect(await store.load(id)).toMatchObject({ turn: 9 });
  });

  it('is complete when flush resolves', async () => {
    const { store } = await createStore();
    const saves = [store.save(record), store.save({ ...record, turn: 8 })];

    await store.flush();

    expect(await store.load(id)).toMatchObject({ turn: 8 });
    await Promise.all(saves);
  });
});

describe('loading', () => {
  it('finds nothing if there is no record', async () => {
    const { store } = await createStore();

    expect(await store.load(id)).toBeUndefined();
  });

  it.each([
    ['an empty file', ''],
    ['a partial line', journalOf(record).slice(0, 100)],
    ['a line without an object', 'null\n'],
    ['a record with an unknown status', journalOf({ ...record, status: 'sleeping' })],
    ["another session's record", journalOf({ ...record, sessionId: otherId })],
    ['a record whose Claude id is invalid', journalOf({ ...record, claudeSessionId: '../x' })],
    ['a record without totals', journalOf({ ...record, totals: null })],
    ['a record without options', journalOf({ ...record, options: {} })],
  ])('ignores %s', async (_, content) => {
    const { store, file } = await createStore();
    await put(file, content);

    expect(await store.load(id)).toBeUndefined();
  });
});

it('refuses lines of a newer version, and does not touch them', async () => {
  const { store, file } = await createStore();
  const text = '{"v":3,"at":1,"anything":{}}\n';
  await put(file, text);

  await expect(store.load(id)).rejects.toThrow('written by a newer version');
  await expect(store.isDamaged(id)).rejects.toThrow('written by a newer version');

  expect(await readFile(file, 'utf8')).toBe(text);
});

describe('a record of version 0.1', () => {
  it('is read, and replaced by a journal when the session is saved', async () => {
    const { store, folder, oldFile } = await createStore();
    await put(oldFile, JSON.stringify(firstFormat));

    const loaded = await store.load(id);
    await store.save({ ...record, turn: 4 });

    expect(loaded).toEqual(record);
    expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
    expect(await store.load(id)).toEqual({ ...record, turn: 4 });
  });

  it.each([
    ['an empty file', ''],
    ['a partial file', JSON.stringify(firstFormat).slice(0, 100)],
    ['a record of another version', JSON.stringify({ ...firstFormat, version: 2 })],
  ])('counts as damaged: %s', async (_, content) => {
    const { store, oldFile } = await createStore();
    await put(oldFile, content);

    expect([await store.load(id), await store.isDamaged(id)]).toEqual([undefined, true]);
  });
});

describe('removing', () => {
  it('also removes a record that is being written', async () => {
    const { store, folder } = await createStore();
    const save = store.save(record);

    await store.remove(id);

    await save;
    expect(await readdir(folder)).toEqual([]);
  });

  it('does nothing if there is no record', async () => {
    const { store } = await createStore();

    await expect(store.remove(id)).resolves.toBeUndefined();
  });
});

describe('a field that is gone', () => {
  const queue = ['and then'];

  it('stays gone after a write by another server', async () => {
    const { store, file, stateDir } = await createStore();
    await store.save({ ...record, queue });
    const { records: next } = await openState({ stateDir, clock: new FakeClock() });

    await next.save(record);

    expect(await next.load(id)).toEqual({ ...record, updatedAt: 2_000 });
    expect(await readFile(file, 'utf8')).toContain('and then');
  });

  it('stays gone after a write that failed', async () => {
    const { store, folder } = await createStore();
    await store.save({ ...record, queue });
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    await expect(store.save({ ...record, turn: 4 })).rejects.toThrow();
    await rm(folder);
    await rename(`${folder}.away`, folder);

    await store.save({ ...record, turn: 4 });

    expect(await store.load(id)).toEqual({ ...record, turn: 4 });
  });

  it('does not take along the forks, nor a cancellation', async () => {
    const { store, stateDir } = await createStore();
    await store.save({ ...record, status: 'cancelled' });
    await store.noteFork(id, otherId);
    const { records: next } = await openState({ stateDir, clock: new FakeClock() });

    await next.save(record);

    expect(await next.load(id)).toEqual({ ...record, status: 'cancelled', forks: [otherId] });
  });
});
