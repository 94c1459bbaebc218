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

/** What somebody else has made of the file. */
async function put(file: string, content: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

describe('an id that Claude Code has given', () => {
  it('leads to the session', async () => {
    const { store } = await createStore();

    await store.save({ ...record, claudeSessionId: otherId });

    expect(await store.findByClaudeId(otherId)).toBe(id);
  });

  it('leads nowhere when nobody has it, or the file has been changed', async () => {
    const { store, folder } = await createStore();
    await store.save(record);
    await put(join(folder, 'aliases', otherId), '../../elsewhere');

    const found = await Promise.all([store.findByClaudeId(id), store.findByClaudeId(otherId)]);

    expect(found).toEqual([undefined, undefined]);
  });
});

describe('saving', () => {
  it('gives the record back as it was', async () => {
    const { store } = await createStore();

    await store.save(record);

    expect(await store.load(id)).toEqual(record);
  });

  it.skipIf(process.platform === 'win32')('is for the eyes of the user only', async () => {
    const { store, folder, file } = await createStore();

    await store.save(record);

    const modes = await Promise.all([stat(folder), stat(file)]);
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('leaves one whole file and nothing else', async () => {
    const { store, folder } = await createStore();

    await Promise.all([store.save(record), store.save({ ...record, turn: 4 })]);

    expect(await readdir(folder)).toEqual([`${id}.json`]);
  });

  it('keeps the newest of many at once', async () => {
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

  it('never shows half a record to a reader in between', async () => {
    const { store, file } = await createStore();
    await store.save(record);

    const writes = Array.from({ length: 10 }, (_, turn) => store.save({ ...record, turn }));
    const texts = await Promise.all(Array.from({ length: 10 }, () => readFile(file, 'utf8')));
    await Promise.all(writes);

    for (const text of texts) expect(JSON.parse(text)).toMatchObject({ sessionId: id });
  });

  it('goes on after a write that failed', async () => {
    const { store, folder } = await createStore();
    await writeFile(folder, 'a file where the folder should be');

    await expect(store.save(record)).rejects.toThrow();
    await rm(folder);
    await store.save({ ...record, turn: 9 });

    expect(await store.load(id)).toMatchObject({ turn: 9 });
  });

  it('is over when flush says so', async () => {
    const { store } = await createStore();
    const saves = [store.save(record), store.save({ ...record, turn: 8 })];

    await store.flush();

    expect(await store.load(id)).toMatchObject({ turn: 8 });
    await Promise.all(saves);
  });
});

describe('loading', () => {
  it('finds nothing where nothing is', async () => {
    const { store } = await createStore();

    expect(await store.load(id)).toBeUndefined();
  });

  it.each([
    ['an empty file', ''],
    ['half a file', JSON.stringify(record).slice(0, 100)],
    ['no object', 'null'],
    ['another version', JSON.stringify({ ...record, version: 2 })],
    ['an unknown status', JSON.stringify({ ...record, status: 'sleeping' })],
    ["another session's record", JSON.stringify({ ...record, sessionId: otherId })],
    ["an id of Claude's that is none", JSON.stringify({ ...record, claudeSessionId: '../x' })],
    ['no totals', JSON.stringify({ ...record, totals: undefined })],
    ['no options', JSON.stringify({ ...record, options: {} })],
  ])('takes %s for none', async (_, content) => {
    const { store, file } = await createStore();
    await put(file, content);

    expect(await store.load(id)).toBeUndefined();
  });
});

describe('removing', () => {
  it('removes what is being written too', async () => {
    const { store, folder } = await createStore();
    const save = store.save(record);

    await store.remove(id);

    await save;
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not mind that nothing is there', async () => {
    const { store } = await createStore();

    await expect(store.remove(id)).resolves.toBeUndefined();
  });
});
