import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../../src/core/observability/logger.js';
import { UsageLedger } from '../../src/state/usage-ledger.js';
import { FakeClock } from '../kit/fake-clock.js';

const hour = 3_600_000;
const line = { sessionId: 's', cwd: '/srv/repo', costUsd: 0.25, turns: 1 };

async function createScene(maxUsdPerDay: number | undefined = 1) {
  const root = await mkdtemp(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'usage');
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12));
  const logged: string[] = [];
  const logger: Logger = { log: (level, message) => void logged.push(`${level} ${message}`) };
  const open = (): UsageLedger => new UsageLedger({ folder, maxUsdPerDay, clock, logger });
  return { folder, clock, logged, open, today: join(folder, '2026-01-01.jsonl') };
}

describe('the usage ledger', () => {
  it('writes a line for each turn with a cost, in a file that only the user can read', async () => {
    const { open, folder, today } = await createScene();
    const ledger = open();

    ledger.add({ ...line, modelUsage: { haiku: 1 } });
    ledger.add({ ...line, costUsd: 0 });
    await ledger.flush();

    expect(JSON.parse(await readFile(today, 'utf8'))).toEqual({
      at: '2026-01-01T12:00:00.000Z',
      ...line,
      modelUsage: { haiku: 1 },
    });
    const modes = await Promise.all([stat(folder), stat(today)]);
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it("returns what is left of the day's budget", async () => {
    const { open } = await createScene();
    const ledger = open();

    ledger.add(line);
    ledger.add(line);
    await ledger.flush();

    expect(ledger.leftUsd()).toBe(0.5);
  });

  it('counts what was spent before it was opened and what other servers spend', async () => {
    const { open } = await createScene();
    const [first, second] = [open(), open()];
    first.add(line);
    await first.flush();

    await second.refresh();
    const before = second.leftUsd();
    first.add(line);
    await first.flush();
    await second.refresh();

    expect(before).toBe(0.75);
    expect(second.leftUsd()).toBe(0.5);
  });

  it('counts no line twice, however often it reads', async () => {
    const { open } = await createScene();
    const ledger = open();
    ledger.add(line);

    await Promise.all([ledger.refresh(), ledger.refresh(), ledger.refresh()]);

    expect(ledger.leftUsd()).toBe(0.75);
  });

  it('has a negative amount left if more than the limit was spent', async () => {
    const { open } = await createScene(0.1);
    const ledger = open();

    ledger.add(line);
    await ledger.flush();

    expect(ledger.leftUsd()).toBeCloseTo(-0.15);
  });

  it('starts over at midnight, in a new file', async () => {
    const { open, clock, folder } = await createScene();
    const ledger = open();
    ledger.add(line);
    await ledger.flush();

    clock.advance(12 * hour);
    const atMidnight = ledger.leftUsd();
    ledger.add({ ...line, costUsd: 0.5 });
    await ledger.flush();

    expect(atMidnight).toBe(1);
    expect(ledger.leftUsd()).toBe(0.5);
    expect(await readFile(join(folder, '2026-01-02.jsonl'), 'utf8')).toContain('"costUsd":0.5');
  });

  it('skips damaged lines and counts a partial line once it is complete', async () => {
    const { open, today } = await createScene();
    const ledger = open();
    ledger.add(line);
    await ledger.flush();
    const whole = JSON.stringify({ at: 'x', ...line });
    await appendFile(today, `null\n{"costUsd":-5}\n{]\n\n${whole.slice(0, 20)}`);

    await ledger.refresh();
    const before = ledger.leftUsd();
    await appendFile(today, `${whole.slice(20)}\n`);
    await ledger.refresh();

    expect(before).toBe(0.75);
    expect(ledger.leftUsd()).toBe(0.5);
  });

  it('limits nothing if the operator sets no limit', async () => {
    const scene = await createScene();
    const ledger = new UsageLedger({
      folder: scene.folder,
      maxUsdPerDay: undefined,
      clock: scene.clock,
      logger: { log: () => undefined },
    });

    ledger.add(line);
    await ledger.flush();
    await ledger.refresh();

    expect(ledger.leftUsd()).toBeUndefined();
    expect(await readFile(scene.today, 'utf8')).toContain('"costUsd":0.25');
  });

  it('logs a failed write', async () => {
    const { open, folder, logged } = await createScene();
    await writeFile(folder, 'a file where the folder should be');
    const ledger = open();

    ledger.add(line);
    await ledger.flush();

    expect(logged).toEqual(['error usage could not be written']);
  });
});

describe.skipIf(process.platform === 'win32')('a ledger whose file is not a file of ours', () => {
  it.each(['pipe', 'link', 'folder'])('refuses turns and keeps counting in memory: a %s', async (kind) => {
    const { open, today, folder, logged } = await createScene();
    mkdirSync(folder);
    if (kind === 'pipe') execFileSync('mkfifo', [today]);
    else if (kind === 'link') symlinkSync('/dev/zero', today);
    else mkdirSync(today);
    const ledger = open();

    ledger.add(line);
    await ledger.flush();

    await expect(ledger.refresh()).rejects.toThrow(`the state folder cannot be used: ${today} is `);
    expect(ledger.leftUsd()).toBe(0.75);
    expect(logged).toEqual(['error usage could not be written']);
  });
});
