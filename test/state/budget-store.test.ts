import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../../src/core/observability/logger.js';
import { BudgetStore } from '../../src/state/budget-store.js';

const id = '11111111-1111-4111-8111-111111111111';

async function createScene() {
  const root = await mkdtemp(join(tmpdir(), 'pots-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'budgets');
  const logged: string[] = [];
  const logger: Logger = { log: (level, message) => void logged.push(`${level} ${message}`) };
  return { folder, file: join(folder, `${id}.jsonl`), logged, open: () => new BudgetStore(folder, logger) };
}

describe('a shared budget', () => {
  it('counts spending at once, in a file that only the user can read', async () => {
    const { file, open } = await createScene();
    const pots = open();
    const pot = pots.create(id, true);

    pot.spend('a', 0.25);
    const before = pot.spentUsd;
    await pots.flush();

    expect([before, pot.spentUsd]).toEqual([0.25, 0.25]);
    expect(await readFile(file, 'utf8')).toBe('{"sessionId":"a","costUsd":0.25}\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is shared with another server, including its spending', async () => {
    const { open } = await createScene();
    const [first, second] = [open(), open()];
    const own = first.create(id, true);
    own.spend('a', 0.25);
    await first.flush();

    const other = await second.open(id, 0);
    const found = other.spentUsd;
    other.spend('b', 0.5);
    await second.flush();
    await own.refresh();

    expect([found, own.spentUsd, other.spentUsd]).toEqual([0.25, 0.75, 0.75]);
  });

  it('is one object for all sessions that open it', async () => {
    const { open } = await createScene();
    const pots = open();

    const [one, another] = await Promise.all([pots.open(id, 0), pots.open(id, 0)]);

    expect(another).toBe(one);
  });

  it("counts at least the session's known cost if its file is deleted", async () => {
    const { open } = await createScene();

    const pot = await open().open(id, 3);
    pot.spend('a', 0.5);

    expect(pot.spentUsd).toBe(3.5);
  });

  it('skips damaged lines', async () => {
    const { folder, file, open } = await createScene();
    const pots = open();
    pots.create(id, true).spend('a', 0.25);
    await pots.flush();
    await appendFile(file, 'null\n{"costUsd":-5}\n{]\n\n');

    const pot = await new BudgetStore(folder, { log: () => undefined }).open(id, 0);

    expect(pot.spentUsd).toBe(0.25);
  });

  it('of a session that is not persisted stays in memory', async () => {
    const { folder, open } = await createScene();
    const pots = open();
    const pot = pots.create(id, false);

    pot.spend('a', 0.25);
    await pots.flush();

    expect(pot.spentUsd).toBe(0.25);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  it('logs a failed write and still counts', async () => {
    const { folder, logged, open } = await createScene();
    await writeFile(folder, 'a file where the folder should be');
    const pots = open();
    const pot = pots.create(id, true);

    pot.spend('a', 0.25);
    await pots.flush();

    expect(logged).toEqual(['error a budget could not be written']);
    expect(pot.spentUsd).toBe(0.25);
  });
});
