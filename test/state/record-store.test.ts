import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { RecordStore, type SessionRecord } from '../../src/state/record-store.js';
import { plainOptions } from '../session/session-scene.js';

const id = '00000000-0000-4000-8000-000000000001' as SessionId;
const otherId = '00000000-0000-4000-8000-000000000002' as SessionId;

const record: SessionRecord = {
  version: 1,
  sessionId: id,
  claudeSessionId: id,
  createdAt: 1_000,
  updatedAt: 2_000,
  status: 'idle',
  outcome: 'completed',
  turn: 3,
  totals: { turns: 5, costUsd: 0.25 },
  options: plainOptions,
};

async function createStore() {
  const stateDir = await mkdtemp(join(tmpdir(), 'records-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const folder = join(stateDir, 'sessions');
  return { store: new RecordStore(stateDir), folder, file: join(folder, `${id}.json`) };
}

/** Replaces the file as another program might. */
async function put(file: string, content: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

it('a record keeps which files the last turn changed, and who started it', async () => {
  const { store } = await createStore();
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

  await store.save({ ...record, lastResult });

  expect((await store.load(id))?.lastResult).toEqual(lastResult);
});

describe('an id chosen by Claude Code', () => {
  it('leads to the session', async () => {
    const { store } = await createStore();

    await store.save({ ...record, claudeSessionId: otherId });

    expect(await store.findByClaudeId(otherId)).toBe(id);
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
      writeFileSync(`${file}.real`, JSON.stringify(record), { mode: 0o600 });
      symlinkSync(`${file}.real`, file);
    },
    'a link to a device': (file) => symlinkSync('/dev/zero', file),
    'a file that others can write': (file) => {
      writeFileSync(file, JSON.stringify(record));
      chmodSync(file, 0o666);
    },
    'a file of 17 MiB': (file) => writeFileSync(file, Buffer.alloc(17 * 1024 * 1024), { mode: 0o600 }),
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
      execFileSync('mkfifo', [join(folder, `${name}.json`), join(folder, 'aliases', name)]);

    const loaded = await Promise.all(pipes.flatMap((name) => [store.load(name), store.findByClaudeId(name)]));

    expect(new Set(loaded)).toEqual(new Set([undefined]));
    expect(await store.load(id)).toEqual(record);
  });

  it('is replaced when the session is saved', async () => {
    const { store, folder, file } = await createStore();
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [file]);

    await store.save(record);

    expect(await store.load(id)).toEqual(record);
  });
});

describe('saving', () => {
  it('preserves the record', async () => {
    const { store } = await createStore();

    await store.save(record);

    expect(await store.load(id)).toEqual(record);
  });

  it('preserves that Claude Code began the last turn by itself', async () => {
    const { store } = await createStore();
    const lastResult = {
      result: 'the task is done',
      isError: false,
      outcome: 'completed',
      turn: 3,
      durationMs: 1,
      numTurns: 1,
      totalCostUsd: 0,
      sessionTotalTurns: 5,
      sessionTotalCostUsd: 0.25,
      startedBy: 'claude_code',
    } as const;

    await store.save({ ...record, lastResult });

    expect((await store.load(id))?.lastResult).toEqual(lastResult);
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

    expect(await readdir(folder)).toEqual([`${id}.json`]);
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

  it('never exposes a partial record to a concurrent reader', async () => {
    const { store, file } = await createStore();
    await store.save(record);

    const writes = Array.from({ length: 10 }, (_, turn) => store.save({ ...record, turn }));
    const texts = await Promise.all(Array.from({ length: 10 }, () => readFile(file, 'utf8')));
    await Promise.all(writes);

    for (const text of texts) expect(JSON.parse(text)).toMatchObject({ sessionId: id });
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
    ['a partial file', JSON.stringify(record).slice(0, 100)],
    ['a file without an object', 'null'],
    ['a record of another version', JSON.stringify({ ...record, version: 2 })],
    ['a record with an unknown status', JSON.stringify({ ...record, status: 'sleeping' })],
    ["another session's record", JSON.stringify({ ...record, sessionId: otherId })],
    ['a record whose Claude id is invalid', JSON.stringify({ ...record, claudeSessionId: '../x' })],
    ['a record without totals', JSON.stringify({ ...record, totals: undefined })],
    ['a record without options', JSON.stringify({ ...record, options: {} })],
  ])('ignores %s', async (_, content) => {
    const { store, file } = await createStore();
    await put(file, content);

    expect(await store.load(id)).toBeUndefined();
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
