import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UsageLine } from '../../../src/state/money/usage-ledger.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { openState, type StateOptions } from '../../kit/state.js';

const hour = 3_600_000;
const name = '11111111-1111-4111-8111-111111111111';
const otherName = '22222222-2222-4222-8222-222222222222';
const fields = { sessionId: name, options: { cwd: '/srv/repo' } };
const spent = { costUsd: 0.25, turns: 1 };

async function createScene(maxUsdPerDay: number | undefined = 1) {
  const stateDir = await mkdtemp(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12));
  const open = (options: Partial<StateOptions> = {}) =>
    openState({ stateDir, clock, maxUsdPerDay, ...options });
  return { stateDir, clock, open, journal: join(stateDir, 'sessions', `${name}.jsonl`) };
}

describe('the usage ledger', () => {
  it('yields what each turn has cost, from files that only the user can read', async () => {
    const { open, stateDir, journal } = await createScene();
    const { ledger, records } = await open();

    await records.saveMoney(name, fields, { ...spent, modelUsage: { haiku: 1 } });

    const lines: UsageLine[] = [];
    for await (const line of ledger.lines(1)) lines.push(line);
    expect(lines).toEqual([
      {
        at: '2026-01-01T12:00:00.000Z',
        sessionId: name,
        cwd: '/srv/repo',
        ...spent,
        modelUsage: { haiku: 1 },
      },
    ]);
    const index = join(stateDir, 'usage', '2026-01-01.sessions');
    const modes = await Promise.all([stat(join(stateDir, 'usage')), stat(index), stat(journal)]);
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    expect(await readFile(index, 'utf8')).toBe(`${name}\n`);
  });

  it("returns what is left of the day's budget, at once", async () => {
    const { ledger } = await (await createScene()).open();

    ledger.add(0.25);
    ledger.add(0.25);

    expect(ledger.leftUsd()).toBe(0.5);
  });

  it('has nothing left when many small costs use up the budget', async () => {
    const { ledger } = await (await createScene()).open();

    for (let turn = 0; turn < 10; turn += 1) ledger.add(0.1);

    expect(ledger.leftUsd()).toBe(0);
  });

  it('counts what was spent before it was opened and what other servers spend', async () => {
    const { open } = await createScene();
    const alive = new Set([10, 11]);
    const [first, second] = [await open({ pid: 10, alive }), await open({ pid: 11, alive })];
    await first.records.saveMoney(name, fields, spent);

    await second.ledger.refresh();
    const before = second.ledger.leftUsd();
    await first.records.saveMoney(name, fields, spent);
    await first.records.saveMoney(otherName, fields, spent);
    await second.ledger.refresh();

    expect(before).toBe(0.75);
    expect(second.ledger.leftUsd()).toBe(0.25);
  });

  it('reserves what an open turn of another server may spend, and counts it when that server is gone', async () => {
    const { open } = await createScene();
    const alive = new Set([10, 11]);
    const [first, second] = [await open({ pid: 10, alive }), await open({ pid: 11, alive })];
    const openTurn = { turn: 1, startedAt: 0, prompts: [], reservedUsd: 0.5 };
    await first.records.saveMoney(name, { ...fields, server: first.server, openTurn, openCostUsd: 0.3 });

    await second.ledger.refresh();
    const whileAlive = [second.ledger.leftUsd(), second.ledger.reservations.besides('mine')];
    alive.delete(10);
    await second.ledger.refresh();

    expect(whileAlive).toEqual([1, 0.5]);
    expect([second.ledger.leftUsd(), second.ledger.reservations.besides('mine')]).toEqual([0.7, 0]);
  });

  it('counts no line twice, however often it reads', async () => {
    const { open } = await createScene();
    const { ledger, records } = await open();
    ledger.add(0.25);
    void records.saveMoney(name, fields, spent);

    await Promise.all([ledger.refresh(), ledger.refresh(), ledger.refresh()]);

    expect(ledger.leftUsd()).toBe(0.75);
  });

  it('has a negative amount left if more than the limit was spent', async () => {
    const { ledger } = await (await createScene(0.1)).open();

    ledger.add(0.25);

    expect(ledger.leftUsd()).toBeCloseTo(-0.15);
  });

  it('starts over at midnight', async () => {
    const { open, clock } = await createScene();
    const { ledger, records } = await open();
    ledger.add(0.25);
    await records.saveMoney(name, fields, spent);
    await ledger.refresh();

    clock.advance(12 * hour);
    const atMidnight = ledger.leftUsd();
    ledger.add(0.5);
    await records.saveMoney(name, fields, { ...spent, costUsd: 0.5 });
    await ledger.refresh();

    expect(atMidnight).toBe(1);
    expect(ledger.leftUsd()).toBe(0.5);
  });

  it('skips damaged lines and counts a partial line once it is complete', async () => {
    const { open, journal } = await createScene();
    const { ledger, records, ...state } = await open();
    await records.saveMoney(name, fields, spent);
    const whole = JSON.stringify({ v: 2, at: Date.UTC(2026, 0, 1, 13), spent });
    await appendFile(journal, `null\n{"v":2,"at":1,"spent":{"costUsd":-5}}\n{]\n\n${whole.slice(0, 20)}`);

    await ledger.refresh();
    const before = ledger.leftUsd();
    await appendFile(journal, `${whole.slice(20)}\n`);
    await ledger.refresh();

    expect(before).toBe(0.75);
    expect(ledger.leftUsd()).toBe(0.5);
    expect(state.server).not.toBe('');
  });

  it('limits nothing if the operator sets no limit', async () => {
    const { open } = await createScene();
    const { ledger } = await open({ maxUsdPerDay: undefined });

    ledger.add(0.25);
    await ledger.refresh();

    expect(ledger.leftUsd()).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('a ledger whose file is not a file of ours', () => {
  it.each(['pipe', 'link', 'folder'])('refuses turns and keeps counting in memory: a %s', async (kind) => {
    const { open, stateDir } = await createScene();
    const index = join(stateDir, 'usage', '2026-01-01.sessions');
    mkdirSync(join(stateDir, 'usage'));
    if (kind === 'pipe') execFileSync('mkfifo', [index]);
    else if (kind === 'link') symlinkSync('/dev/zero', index);
    else mkdirSync(index);
    const { ledger } = await open();

    ledger.add(0.25);

    await expect(ledger.refresh()).rejects.toThrow(`the state folder cannot be used: ${index} is `);
    expect(ledger.leftUsd()).toBe(0.75);
  });
});
