/** What a journal says after writes that failed, were cut off, or raced with another server. */
import * as fc from 'fast-check';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { fold, nothing } from '../../src/state/journal/fold.js';
import { parseLine, toText, type Line } from '../../src/state/journal/line.js';
import { readJournal } from '../../src/state/journal/session-journal.js';
import { FakeClock } from '../kit/fake-clock.js';
import { openState } from '../kit/state.js';
import { plainRecord } from '../kit/records.js';

const id = '00000000-0000-4000-8000-000000000001' as SessionId;
const record = plainRecord(id, { totals: { turns: 0, costUsd: 0 } });
const openTurn = { turn: 2, startedAt: 1, prompts: ['more'] };
const spent = { costUsd: 0.5, turns: 1 };

async function createScene() {
  const stateDir = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12));
  const open = (pid = 10) => openState({ stateDir, clock, pid, alive: new Set([10, 11]), maxUsdPerDay: 1 });
  const folder = join(stateDir, 'sessions');
  return { open, clock, stateDir, folder, file: join(folder, `${id}.jsonl`) };
}

/** Until the returned function is called, nothing in the folder can be written. */
function breakFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
  };
}

async function spentIn(file: string): Promise<number | undefined> {
  const journal = await readJournal(file);
  return journal?.folded.spent.reduce((sum, { costUsd }) => sum + costUsd, 0);
}

const name = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const lineArbitrary = fc.record(
  {
    set: fc.dictionary(fc.constantFrom('turn', 'queue', 'cursor'), fc.option(fc.string({ maxLength: 5 }))),
    whole: fc.constant(true as const),
    fork: fc.integer({ min: 1, max: 3 }).map(name),
    costUsd: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: [] },
);

it('a batch that was cut off anywhere and written again says what it says once', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.array(lineArbitrary, { maxLength: 4 }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
        ),
      ),
      (batches) => {
        let ids = 0;
        const texts = batches.map(([lines, cuts]) => {
          const text = lines
            .map(({ costUsd, ...line }) => {
              ids += 1;
              return toText({
                at: ids,
                ...line,
                ...(costUsd && { spent: { id: `${ids}`, costUsd, turns: 1 } }),
              });
            })
            .join('');
          return {
            text,
            partial: cuts.map((cut) => `${text.slice(0, Math.floor(cut * text.length))}\n`).join(''),
          };
        });
        const foldText = (text: string) =>
          fold(
            nothing,
            text.split('\n').flatMap((line): Line[] => [parseLine(line) ?? []].flat()),
          );

        const clean = foldText(texts.map(({ text }) => text).join(''));
        const torn = foldText(texts.map(({ text, partial }) => partial + text).join(''));

        expect(torn).toEqual(clean);
      },
    ),
  );
});

it('a cost counts once if compacting the file fails', async () => {
  const { open, file } = await createScene();
  const { records } = await open();
  await records.save(record);
  await mkdir(`${file}.tmp`);
  const queue = ['x'.repeat(300_000)];

  for (const turn of [2, 3, 4, 5, 6]) {
    await records.save({ ...record, queue, turn }, spent);
    await records.save({ ...record, turn });
  }

  expect(await spentIn(file)).toBe(2.5);
});

it('a cost that could not be written still reduces what is left of the day', async () => {
  const { open, stateDir, clock } = await createScene();
  const { records, ledger } = await open();
  const now = { ...record, updatedAt: clock.now() };
  const repair = breakFolder(join(stateDir, 'usage'));
  ledger.add(spent.costUsd);
  await expect(records.save(now, spent)).rejects.toThrow();

  repair();

  await ledger.refresh();
  const unwritten = ledger.leftUsd();
  await records.save(now);
  await ledger.refresh();

  expect([unwritten, ledger.leftUsd()]).toEqual([0.5, 0.5]);
});

it('a cost that is written after midnight counts for the day before', async () => {
  const { open, folder, stateDir, clock } = await createScene();
  const { records } = await open();
  const repair = breakFolder(folder);
  const repairIndex = breakFolder(join(stateDir, 'usage'));
  await expect(records.save({ ...record, updatedAt: clock.now() }, spent)).rejects.toThrow();
  repair();
  repairIndex();
  clock.advance(86_400_000);

  await records.save({ ...record, updatedAt: clock.now() });

  const index = await readFile(join(stateDir, 'usage', '2026-01-01.sessions'), 'utf8');
  expect(index).toBe(`${id}\n`);
});

it('a field that another server has added is removed by the server that ends the turn', async () => {
  const { open } = await createScene();
  const [first, second] = [await open(10), await open(11)];
  await first.records.save(record);
  await second.records.save({ ...record, openTurn, server: second.server, queue: ['and then'] });
  const found = await first.records.load(id);

  if (found !== undefined) first.records.continueFrom(found);
  await first.records.save({ ...record, turn: 2 });

  expect(await second.records.load(id)).toEqual({ ...record, turn: 2 });
});

it('what another server adds while a file is compacted is kept', async () => {
  const { open, file } = await createScene();
  const [first, second] = [await open(10), await open(11)];
  await first.records.save(record);
  const turns = Array.from({ length: 24 }, (_, index) => index + 2);
  const forks = Array.from({ length: 40 }, (_, index) => name(index + 10));
  const forking = (async () => {
    for (const fork of forks) await second.records.noteFork(id, fork);
  })();

  for (const turn of turns)
    await first.records.save({ ...record, turn, queue: turn % 2 === 0 ? ['x'.repeat(200_000)] : [] }, spent);
  await forking;

  expect((await stat(file)).size).toBeLessThan(1_500_000);
  expect((await first.records.load(id))?.forks?.toSorted()).toEqual(forks);
  expect(await spentIn(file)).toBe(12);
});

it('a file is compacted during a turn whose prompts are long', async () => {
  const { open, file } = await createScene();
  const { records, server } = await open();
  const long = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(100_000));
  const running = { ...record, openTurn, server };
  await records.save(running);

  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    await records.save({ ...running, queue: long.slice(0, count) });

  expect((await stat(file)).size).toBeLessThan(6_000_000);
  expect(await records.load(id)).toEqual({ ...running, queue: long.slice(0, 1) });
});

it('a long record is compacted before its file is too long to be read', async () => {
  const { open } = await createScene();
  const { records, server } = await open();
  const running = { ...record, openTurn, server };

  for (const digit of ['1', '2', '3', '4', '5', '6'])
    await records.save({ ...running, queue: [digit.repeat(14 * 1024 * 1024)] });

  const { records: next } = await open(11);
  expect((await next.load(id))?.queue?.[0]?.[0]).toBe('6');
});

it('a session that is saved while its memory is freed keeps one journal', async () => {
  const { open } = await createScene();
  const { records } = await open();
  await records.save(record);

  const freed = records.release(id);
  const saves = Array.from({ length: 20 }, (_, turn) => records.save({ ...record, turn }));
  await Promise.all([freed, ...saves]);

  expect(await records.load(id)).toEqual({ ...record, turn: 19 });
});
