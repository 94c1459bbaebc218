import { describe, expect, it } from 'vitest';
import {
  joinInProcess,
  restartInProcess,
  startInProcess,
  type InProcessScene,
  type InProcessServer,
} from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, repeat, text, tool } from '../kit/model-steps.js';
import { type ToolReply } from '../kit/server-client.js';
import { startIdle } from '../kit/start-idle.js';
import { until } from '../kit/until.js';
import { costsOnDisk } from '../kit/journals.js';

/** What each answer of the scripted model costs. */
const answerUsd = 0.0044;
const evicting = { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' };

function startServer(env: Record<string, string> = {}): Promise<InProcessScene> {
  return startInProcess({ era: 'modern', env });
}

/** The server is stopped, and another one started on the same files. */
async function restarted(scene: InProcessScene, env: Record<string, string> = {}): Promise<InProcessServer> {
  return (await restartInProcess(scene, { era: 'modern', env })).server;
}

function start(server: InProcessServer, args: Record<string, unknown> = {}): Promise<ToolReply> {
  return server.call('claude_code', { prompt: 'hello', waitMs: 20_000, ...args });
}

function reply(
  server: InProcessServer,
  sessionId: string,
  args: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000, ...args });
}

/** Lets the idle process go, as after a while of rest. */
function evicted({ clock }: InProcessScene): Promise<void> {
  return clock.pass(50);
}

function budgetsOf({ world }: InProcessScene): number[] {
  return world.launches.flatMap(({ maxBudgetUsd }) => maxBudgetUsd ?? []);
}

function budgets(scene: InProcessScene): number[] {
  return budgetsOf(scene).toSorted((a, b) => b - a);
}

/** Until every server can read what so many turns have cost: it is written behind the answer. */
async function written(scene: InProcessScene, turns: number): Promise<void> {
  await until('it is on disk', () => costsOnDisk(scene).length >= turns);
}

const spent = { isError: true, errorSubtype: 'max_budget' };

describe('the budget of a session', () => {
  it('is what is left of it for each process, and nothing is asked of the model once it is spent', async () => {
    const scene = await startServer(evicting);
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 0.01 });
    await evicted(scene);
    const second = await reply(server, sessionId);
    await evicted(scene);
    await reply(server, sessionId);
    await evicted(scene);
    const asked = model.requests().length;

    const beyond = await reply(server, sessionId);
    const higher = await reply(server, sessionId, { maxBudgetUsd: 0.1 });

    expect(second.json).toMatchObject({ status: 'idle', result: { sessionTotalCostUsd: 2 * answerUsd } });
    expect(asked).toBe(3);
    expect(beyond.json).toMatchObject({ status: 'error', result: { ...spent, totalCostUsd: 0 } });
    expect(higher.json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 5 } });
    expect(model.requests()).toHaveLength(4);
    const expected = [0.1 - 3 * answerUsd, 0.01, 0.01 - answerUsd, 0.01 - 2 * answerUsd];
    expect(budgets(scene)).toEqual(expected.map((amount) => expect.closeTo(amount, 6)));
  });

  it('holds across a restart of the server', async () => {
    const scene = await startServer();
    const started = await start(scene.server, { maxBudgetUsd: answerUsd });
    const server = await restarted(scene);

    const beyond = await reply(server, started.json.sessionId);

    expect(started.json).toMatchObject({ result: { ...spent, totalCostUsd: answerUsd } });
    expect(beyond.json).toMatchObject({ status: 'error', result: spent });
    expect(scene.model.requests()).toHaveLength(1);
  });

  it('is shared with its forks, which draw on what is left', async () => {
    const scene = await startServer();
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 2 * answerUsd });

    const fork = await reply(server, sessionId, { forkSession: true });
    const second = await reply(server, fork.json.sessionId);
    const parent = await reply(server, sessionId);

    expect(fork.json).toMatchObject({ result: { sessionTotalCostUsd: answerUsd } });
    expect(budgets(scene)).toEqual([2 * answerUsd, expect.closeTo(answerUsd, 6)]);
    for (const { json } of [second, parent]) expect(json).toMatchObject({ status: 'error', result: spent });
    expect(model.requests()).toHaveLength(2);
  });

  it.each([
    ['spent', 2 * answerUsd],
    ['overspent', 1.5 * answerUsd],
  ])('that is %s has nothing for another fork, and no process is started for it', async (_, maxBudgetUsd) => {
    const scene = await startServer();
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd });
    await reply(server, sessionId, { forkSession: true });
    const before = scene.world.launches.length;

    const another = await reply(server, sessionId, { forkSession: true });

    expect(another.text).toMatch(/"errorSubtype":"max_budget"|budget .* is spent/);
    expect(scene.world.launches).toHaveLength(before);
    expect(model.requests()).toHaveLength(2);
  });

  it('is never given twice: forks that run at the same time share what is left', async () => {
    const scene = await startServer();
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 1 });
    const held = createGate();
    model.when('wait here', [gate(held, text('done'))]);
    const fork = { forkSession: true, prompt: 'wait here', waitMs: 0 };

    const started = [];
    for (let index = 0; index < 3; index += 1) started.push(await reply(server, sessionId, fork));
    held.open();
    for (const { json } of started)
      await server.call('claude_code_check', { sessionId: json.sessionId, waitMs: 20_000 });
    const after = await reply(server, sessionId);

    const left = 1 - answerUsd;
    const shares = [1, left / 2, left / 4, left / 8];
    expect(budgets(scene).slice(0, 1)).toEqual([1]);
    expect(budgetsOf(scene).slice(1, 4)).toEqual(shares.slice(1).map((usd) => expect.closeTo(usd, 6)));
    expect(after.json).toMatchObject({ status: 'idle', result: { totalCostUsd: answerUsd } });
  });

  it('that a running turn holds has nothing for a fork until the turn has ended', async () => {
    const scene = await startServer();
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 1 });
    const held = createGate();
    model.when('wait here', [gate(held, text('done'))]);
    await reply(server, sessionId, { prompt: 'wait here', waitMs: 0 });
    await held.reached;

    const meanwhile = await reply(server, sessionId, { forkSession: true });
    held.open();
    await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const later = await reply(server, sessionId, { forkSession: true });

    expect(meanwhile.json).toMatchObject({
      status: 'error',
      result: { ...spent, result: expect.stringContaining('reserved for running turns') },
    });
    expect(later.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });

  it('knows what a fork has spent while its own process was kept', async () => {
    const scene = await startServer();
    const { server, model } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 0.01, maxTurns: 5 });
    await reply(server, sessionId, { forkSession: true });
    model.when('look around', [repeat(tool('Glob', { pattern: '*.none' }))]);

    const parent = await reply(server, sessionId, { prompt: 'look around' });

    // 0.0012 is left: the first answer is the last.
    expect(parent.json).toMatchObject({ status: 'error', result: { ...spent, totalCostUsd: answerUsd } });
  });

  it('knows what a fork has spent after a restart', async () => {
    const scene = await startServer();
    const sessionId = await startIdle(scene, { maxBudgetUsd: 2 * answerUsd });
    await reply(scene.server, sessionId, { forkSession: true });
    const server = await restarted(scene);

    const parent = await reply(server, sessionId);

    expect(parent.json).toMatchObject({ status: 'error', result: spent });
    expect(scene.model.requests()).toHaveLength(2);
  });

  it('above the cap of today falls to the cap, and the answer says so', async () => {
    const scene = await startServer();
    const sessionId = await startIdle(scene, { maxBudgetUsd: 5 });
    const server = await restarted(scene, { CLAUDE_CODE_MCP_MAX_BUDGET_USD: '1' });

    const same = await reply(server, sessionId);
    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    const more = await reply(server, sessionId, { maxBudgetUsd: 5 });

    expect(same.json).toMatchObject({ status: 'idle', notRestored: ['maxBudgetUsd'] });
    expect(got.json.options).toMatchObject({ maxBudgetUsd: 1 });
    expect(more.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: maxBudgetUsd 5 .*CLAUDE_CODE_MCP_MAX_BUDGET_USD/,
    );
  });
});

describe('the budget of a day', () => {
  it('stops new work on every server that shares the state', async () => {
    const env = { CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY: '0.008' };
    const scene = await startServer(env);
    const { server: neighbour } = await joinInProcess(scene, { era: 'modern', env });

    const { sessionId: first } = (await start(scene.server)).json;
    const { sessionId: second } = (await start(neighbour)).json;
    await written(scene, 2);
    const refused = [
      await scene.server.call('claude_code', { prompt: 'hello' }),
      await reply(scene.server, first),
      await reply(scene.server, first, { forkSession: true }),
      await neighbour.call('claude_code', { prompt: 'hello' }),
      await reply(neighbour, second),
    ];
    const seen = await scene.server.call('claude_code_check', { sessionId: first });

    for (const { text: answer } of refused)
      expect(answer).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: .*CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY/);
    expect(seen.json.status).toBe('idle');
    expect(scene.model.requests()).toHaveLength(2);
  });

  it('bounds each process with half of what is left of it: another may start at any time', async () => {
    const scene = await startServer({ CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY: '0.5' });

    await startIdle(scene);
    await startIdle(scene, { maxBudgetUsd: 3 });

    expect(budgets(scene)).toEqual([0.25, expect.closeTo((0.5 - answerUsd) / 2, 6)]);
  });
});
