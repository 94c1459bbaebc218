/** State folders that this server finds: of version 0.1, of a newer version, and with old sessions. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { journalOf } from '../kit/journals.js';
import { text, tool } from '../kit/model-steps.js';
import { startIdle } from '../kit/start-idle.js';
import { until } from '../kit/until.js';

const modern = { era: 'modern' } as const;
const dayMs = 86_400_000;

/** Writes the state of a session as version 0.1 did, instead of its journal. */
function toFirstFormat({ sandbox, clock }: InProcessScene, sessionId: string): void {
  const { fields } = journalOf({ sandbox }, sessionId);
  const at = (name: string): string => join(sandbox.stateDir, name);
  const { grantsMac: _mac, ...record } = fields;
  const now = new Date(clock.now()).toISOString();
  const usage = { at: now, sessionId, cwd: sandbox.project, costUsd: 0.5, turns: 1 };
  for (const name of ['sessions', 'usage', 'budgets', 'format', 'pruned'])
    rmSync(at(name), { recursive: true, force: true });
  for (const name of ['sessions', 'usage', 'budgets']) mkdirSync(at(name), { mode: 0o700 });
  const totals = { turns: 1, costUsd: 0.5 };
  writeFileSync(at(`sessions/${sessionId}.json`), JSON.stringify({ version: 1, ...record, totals }));
  writeFileSync(at(`budgets/${sessionId}.jsonl`), '{"costUsd":0.5}\n{"costUsd":0.25}\n');
  writeFileSync(at(`usage/${now.slice(0, 10)}.jsonl`), `${JSON.stringify(usage)}\n`);
}

describe('a state folder of version 0.1', () => {
  async function found(env: Record<string, string> = {}) {
    const before = await startInProcess(modern);
    before.model.when('more', [text('Two.')]);
    const sessionId = await startIdle(before, { maxBudgetUsd: 1 });
    await before.server.close();
    toFirstFormat(before, sessionId);
    return { sessionId, ...(await restartInProcess(before, { ...modern, env })) };
  }

  it('gets a number, and its sessions continue with their costs', async () => {
    const scene = await found();
    const { server, sessionId, sandbox } = scene;

    const shown = await server.call('claude_code_check', { sessionId });
    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
    await server.close();

    expect(shown.json).toMatchObject({ status: 'idle', result: { turn: 1 } });
    expect(reply.json).toMatchObject({
      status: 'idle',
      result: { result: 'Two.', turn: 2, sessionTotalCostUsd: 0.5044 },
    });
    expect(readFileSync(join(sandbox.stateDir, 'format'), 'utf8')).toBe('2\n');
    expect(existsSync(join(sandbox.stateDir, 'sessions', `${sessionId}.json`))).toBe(false);
    expect(journalOf(scene, sessionId).fields).toMatchObject({
      totals: { turns: 2, costUsd: 0.5044 },
      spentBeforeUsd: 0.25,
    });
  });

  it('still limits what a session and its forks may spend', async () => {
    const { server, sessionId } = await found();

    const { text: answer } = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'more',
      maxBudgetUsd: 0.7,
      waitMs: 20_000,
    });

    expect(answer).toContain('budget');
    expect(answer).not.toContain('Two.');
  });

  it('counts for the budget of the day', async () => {
    const { server, sandbox } = await found({ CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY: '0.4' });

    const { text: answer } = await server.call('claude_code', { prompt: 'x', cwd: sandbox.project });

    expect(answer).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: this server's budget for today is spent/);
  });

  it('loses what was allowed for a session, which needs approval again', async () => {
    const before = await startInProcess(modern);
    before.model.when('touch', [tool('Bash', { command: 'echo x >> a.txt' }), text('touched')]);
    const prompt = { prompt: 'touch', waitMs: 20_000 };
    const { json } = await before.server.call('claude_code', { ...prompt, cwd: before.sandbox.project });
    const requestId = json.actions?.[0]?.requestId;
    await before.server.call('claude_code_respond', {
      requestId,
      decision: 'allow_for_session',
      waitMs: 20_000,
    });
    await before.server.close();
    toFirstFormat(before, json.sessionId);
    const { server } = await restartInProcess(before, modern);

    const again = await server.call('claude_code_reply', { ...prompt, sessionId: json.sessionId });

    expect(again.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  });
});

it('a state folder of a newer version is refused, and nothing in it changes', async () => {
  const before = await startInProcess(modern);
  const sessionId = await startIdle(before);
  await before.server.close();
  const { stateDir } = before.sandbox;
  const all = (): string[] => readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).toSorted();
  writeFileSync(join(stateDir, 'format'), '3\n');
  const files = all();
  const { server } = await restartInProcess(before, modern);

  const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
  const started = await server.call('claude_code', { prompt: 'x', cwd: before.sandbox.project });
  await server.close();

  for (const { text: answer } of [reply, started])
    expect(answer).toMatch(
      /^Error \[UNAVAILABLE\]: the state folder was written by a newer version of this server\. Ask the operator to update/,
    );
  expect(all()).toEqual(files);
  expect(readFileSync(join(stateDir, 'format'), 'utf8')).toBe('3\n');
});

it('old sessions are deleted at the first call, and then every day', async () => {
  const before = await startInProcess(modern);
  const [first, second] = [await startIdle(before), await startIdle(before)];
  await before.server.close();
  const journal = (id: string): string => join(before.sandbox.stateDir, 'sessions', `${id}.jsonl`);
  const age = (id: string, days: number): void => {
    const seconds = (before.clock.now() - days * dayMs) / 1_000;
    for (const path of [journal(id), journal(join('events', id))]) utimesSync(path, seconds, seconds);
  };
  const gone = (id: string) => until(`${id} is deleted`, () => !existsSync(journal(id)));
  rmSync(join(before.sandbox.stateDir, 'pruned'));
  age(first, 8);
  age(second, 6.5);

  const scene = await restartInProcess(before, { ...modern, env: { CLAUDE_CODE_MCP_KEEP_DAYS: '7' } });
  await scene.server.call('claude_code_session', { action: 'list' });
  await gone(first);
  const kept = existsSync(journal(second));
  await until('the log says so', () => scene.server.stderr().includes('deleted old sessions'));
  scene.clock.advance(dayMs + 60_000);
  await gone(second);

  expect(kept).toBe(true);
});
