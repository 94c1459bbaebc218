import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportUsage } from '../../src/sessions/usage-report.js';
import type { UsageLine } from '../../src/state/money/usage-ledger.js';
import { usageView } from '../../src/toolsets/reference/usage.js';
import { FakeClock } from '../kit/fake-clock.js';
import { openState } from '../kit/state.js';
import { viewText } from '../kit/view-text.js';
import { createManagerScene } from './manager-scene.js';

const day = 86_400_000;
const now = Date.UTC(2026, 0, 31, 12);
const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function createScene() {
  const stateDir = await mkdtemp(join(tmpdir(), 'usage-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const folder = join(stateDir, 'usage');
  const { ledger, records } = await openState({ stateDir, clock: new FakeClock(now) });
  const report = (roots: readonly string[] = [], mayNameFolders = true) =>
    reportUsage({ ledger, bounds: { roots }, mayNameFolders });
  /** Lines as version 0.1 has written them, dated some days ago. */
  const wrote = async (daysAgo: number, ...lines: readonly Partial<UsageLine>[]): Promise<void> => {
    const at = new Date(now - daysAgo * day).toISOString();
    const texts = lines.map((line) => JSON.stringify({ at, ...plain, ...line }));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${at.slice(0, 10)}.jsonl`), `${texts.join('\n')}\n`);
  };
  return { folder, records, report, wrote };
}

const plain = { sessionId: 's', cwd: '/srv/a', costUsd: 1, turns: 2 };
const used = (costUSD: number, inputTokens: number) => ({ costUSD, inputTokens, outputTokens: 1 });

describe('the usage report', () => {
  it('is read by few calls at once, and not for a client that has left meanwhile', async () => {
    const { manager } = await createManagerScene();
    const leaving = new AbortController();
    const read = (more = {}) => manager.controls.usage({ isForPerson: false, ...more });

    const first = [read(), read()];
    const left = read({ signal: leaving.signal });
    const last = read();
    leaving.abort();
    const answers = await Promise.allSettled([...first, left, last]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await expect(left).rejects.toMatchObject({ reason: 'call_cancelled' });
  });

  it('sums up days, projects and models', async () => {
    const { records, report, wrote } = await createScene();
    await wrote(
      1,
      { costUsd: 0.3, modelUsage: { opus: used(0.2, 10), haiku: used(0.1, 5) } },
      { cwd: '/srv/b' },
    );
    const { sessionId, cwd, turns } = plain;
    await records.saveMoney(
      randomUUID(),
      { sessionId, options: { cwd } },
      { costUsd: 0.1, turns, modelUsage: { haiku: used(0.1, 7) } },
    );

    expect(await report()).toEqual({
      total: { costUsd: 1.4, turns: 6, tokens: { ...noTokens, input: 22, output: 3 } },
      days: [
        { date: '2026-01-31', costUsd: 0.1, turns: 2, tokens: { ...noTokens, input: 7, output: 1 } },
        { date: '2026-01-30', costUsd: 1.3, turns: 4, tokens: { ...noTokens, input: 15, output: 2 } },
      ],
      projects: [
        { folder: '/srv/b', costUsd: 1, turns: 2, tokens: noTokens },
        { folder: '/srv/a', costUsd: 0.4, turns: 4, tokens: { ...noTokens, input: 22, output: 3 } },
      ],
      models: [
        { model: 'unknown', costUsd: 1, turns: 2, tokens: noTokens },
        { model: 'opus', costUsd: 0.2, turns: 2, tokens: { ...noTokens, input: 10, output: 1 } },
        { model: 'haiku', costUsd: 0.2, turns: 4, tokens: { ...noTokens, input: 12, output: 2 } },
      ],
    });
  });

  it('covers 31 days and skips damaged lines', async () => {
    const { folder, report, wrote } = await createScene();
    await wrote(30, {});
    await wrote(31, {});
    await writeFile(
      join(folder, '2026-01-20.jsonl'),
      `{"half\n${JSON.stringify({ at: 'x', ...plain, costUsd: -9 })}\nnull\n`,
    );

    const { days, total } = await report();

    expect(days.map(({ date }) => date)).toEqual(['2026-01-01']);
    expect(total.costUsd).toBe(1);
  });

  it('is empty before the first use', async () => {
    const { report } = await createScene();

    expect(await report()).toEqual({
      total: { costUsd: 0, turns: 0, tokens: noTokens },
      days: [],
      projects: [],
      models: [],
    });
  });

  it("excludes folders outside the operator's roots, and unknown folders", async () => {
    const { report, wrote } = await createScene();
    await wrote(
      0,
      { cwd: '/srv/a/x' },
      { cwd: '/srv/ab' },
      { cwd: '/home/anna' },
      { cwd: '', sessionId: '' },
    );

    const bounded = await report(['/srv/a']);
    const all = await report();

    expect([bounded.total.costUsd, bounded.projects.map(({ folder }) => folder)]).toEqual([1, ['/srv/a/x']]);
    expect([all.total.costUsd, all.projects.length]).toEqual([4, 3]);
  });

  it('names no folders if callers may not see them', async () => {
    const { report, wrote } = await createScene();
    await wrote(0, { cwd: '/srv/secret-\u2028project' }, { cwd: '/srv/b', costUsd: 3 });

    const text = viewText(usageView(await report([], false)));

    expect(JSON.parse(text)).toMatchObject({
      projects: [
        { project: 1, costUsd: 3 },
        { project: 2, costUsd: 1 },
      ],
      note: expect.stringContaining('CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS=1'),
    });
    expect(text).not.toMatch(/srv|secret/);
  });

  it('fits into 7,500 characters and says what it omits', async () => {
    const { report, wrote } = await createScene();
    const many = Array.from({ length: 300 }, (_, n) => ({
      cwd: `/srv/${'"'.repeat(400)}/${n}`,
      modelUsage: { [`model-${n}-${'"'.repeat(400)}`]: used(1, 9_999_999) },
    }));
    for (let ago = 0; ago < 31; ago += 1) await wrote(ago, ...many);

    const text = viewText(usageView(await report()));

    expect(text.length).toBeLessThanOrEqual(7_500);
    expect(JSON.parse(text)).toMatchObject({
      total: { costUsd: 9_300, turns: 18_600 },
      moreProjects: expect.any(Number),
      moreModels: expect.any(Number),
    });
  });
});
