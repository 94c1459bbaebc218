import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionRecord } from '../../../src/state/record.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { openState } from '../../kit/state.js';
import { plainRecord } from '../../kit/records.js';

const id = '11111111-1111-4111-8111-111111111111';
const forkId = '22222222-2222-4222-8222-222222222222';

async function createScene() {
  const stateDir = await mkdtemp(join(tmpdir(), 'pots-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const alive = new Set([10, 11]);
  const clock = new FakeClock();
  return { stateDir, alive, open: (pid = 10) => openState({ stateDir, clock, pid, alive }) };
}

function recordOf(sessionId: string, costUsd: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return plainRecord(sessionId, { totals: { turns: 1, costUsd }, potId: id, ...changes });
}

describe('a shared budget', () => {
  it('counts spending at once', async () => {
    const { budgets } = await (await createScene()).open();
    const budget = budgets.create(id, true);

    budget.spend(id, 0.25);

    expect(budget.spentUsd).toBe(0.25);
  });

  it('includes what forks have spent on another server', async () => {
    const { open } = await createScene();
    const [first, second] = [await open(10), await open(11)];
    const own = first.budgets.create(id, true);
    own.spend(id, 0.25);
    await first.records.save(recordOf(id, 0.25));
    await first.records.noteFork(id, forkId);

    const other = await second.budgets.open(id);
    const found = other.spentUsd;
    other.spend(forkId, 0.5);
    await second.records.save(recordOf(forkId, 0.5));
    await own.refresh();

    expect([found, own.spentUsd, other.spentUsd]).toEqual([0.25, 0.75, 0.75]);
  });

  it('reserves the share of a turn on another server, and counts its cost when that server is gone', async () => {
    const { open, alive } = await createScene();
    const [first, second] = [await open(10), await open(11)];
    const openTurn = { turn: 2, startedAt: 0, prompts: ['go'], reservedUsd: 0.5 };
    await first.records.save(recordOf(id, 0.25, { openTurn, openCostUsd: 0.125, server: first.server }));
    const budget = await second.budgets.open(id);

    const whileAlive = [budget.spentUsd, budget.reservations.besides('mine')];
    alive.delete(10);
    await budget.refresh();

    expect(whileAlive).toEqual([0.25, 0.5]);
    expect([budget.spentUsd, budget.reservations.besides('mine')]).toEqual([0.375, 0]);
  });

  it('keeps what this server has reserved, although no turn is open', async () => {
    const { records, budgets } = await (await createScene()).open();
    const budget = budgets.create(id, true);
    await records.save(recordOf(id, 0.25));
    budget.reservations.set(id, 0.5);

    await budget.refresh();

    expect(budget.reservations.besides('mine')).toBe(0.5);
  });

  it('is one object for all sessions that open it', async () => {
    const { budgets } = await (await createScene()).open();

    const [one, another] = await Promise.all([budgets.open(id), budgets.open(id)]);

    expect(another).toBe(one);
  });

  it('includes what forks had spent with version 0.1, once', async () => {
    const { stateDir, open } = await createScene();
    await mkdir(join(stateDir, 'budgets'));
    const lines = ['{"sessionId":"a","costUsd":0.25}', 'null', '{"costUsd":-5}', '{]', '{"costUsd":0.5}', ''];
    await writeFile(join(stateDir, 'budgets', `${id}.jsonl`), lines.join('\n'));
    const { budgets, records } = await open();
    await records.save(recordOf(id, 0.25));

    const budget = await budgets.open(id);

    expect(budget.spentUsd).toBe(0.75);
  });

  it('of a session that is not persisted stays in memory', async () => {
    const { budgets } = await (await createScene()).open();
    const budget = budgets.create(id, false);

    budget.spend(id, 0.25);
    await budget.refresh();

    expect(budget.spentUsd).toBe(0.25);
  });
});
