import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createArgvLog, type ArgvLog } from '../kit/argv-log.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, repeat, text, tool } from '../kit/model-steps.js';
import { connectServer, type ServerClient, type ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { readTranscript } from './option-rows.js';
import { startIdle } from '../kit/start-idle.js';

/** What each answer of the scripted model costs. */
const answerUsd = 0.0044;
const evicting = { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' };

async function startLoggedScene(env: Record<string, string> = {}): Promise<Scene & { log: ArgvLog }> {
  const { model, sandbox } = await startBackstage();
  const log = createArgvLog(join(sandbox.root, 'wrapper'));
  const server = await connect({ model, sandbox }, { CLAUDE_CODE_PATH: log.executable, ...env });
  return { server, model, sandbox, log };
}

async function connect(
  { model, sandbox }: Omit<Scene, 'server'>,
  env: Record<string, string> = {},
): Promise<ServerClient> {
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());
  return server;
}

/** The server is stopped, and another one started on the same files. */
async function restart(scene: Scene, env: Record<string, string> = {}): Promise<ServerClient> {
  await scene.server.close();
  return connect(scene, env);
}

function start(server: ServerClient, args: Record<string, unknown> = {}): Promise<ToolReply> {
  return server.call('claude_code', { prompt: 'hello', waitMs: 20_000, ...args });
}

function reply(
  server: ServerClient,
  sessionId: string,
  args: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000, ...args });
}

/** Until no Claude Code is left, as after a while of rest. */
async function evicted({ sandbox }: Scene): Promise<void> {
  await until('no process is left', () =>
    sandbox.processes().every(({ command }) => !command.includes('stream-json')),
  );
}

function budgets(log: ArgvLog): number[] {
  return log
    .launches()
    .map(budgetOf)
    .filter((amount) => !Number.isNaN(amount))
    .toSorted((a, b) => b - a);
}

function budgetOf(argv: readonly string[]): number {
  const word = argv.find((argument) => argument.startsWith('--max-budget-usd='));
  return Number(word?.slice('--max-budget-usd='.length));
}

const spent = { isError: true, errorSubtype: 'max_budget' };

describe('the budget of a session', () => {
  it('is what is left of it for each process, and nothing is asked of the model once it is spent', async () => {
    const scene = await startLoggedScene(evicting);
    const { server, model, log } = scene;
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
    expect(budgets(log)).toEqual(expected.map((amount) => expect.closeTo(amount, 6)));
  });

  it('stays set aside while work in the background can begin a turn of its own', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('wait for it', [
      tool('Bash', { command: 'while [ ! -e go ]; do sleep 0.1; done', run_in_background: true }),
      text('started'),
    ]);
    const lookAround = [repeat(tool('Glob', { pattern: '*.none' }))];
    model.when('<task-notification', lookAround);
    model.when('look around', lookAround);
    const { sessionId } = (
      await start(server, {
        prompt: 'wait for it',
        cwd: sandbox.project,
        maxBudgetUsd: 0.03,
        allowedTools: ['Bash'],
      })
    ).json;

    const meanwhile = await reply(server, sessionId, { forkSession: true, prompt: 'look around' });
    writeFileSync(join(sandbox.project, 'go'), '');
    await until('the budget is spent', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, waitMs: 1_000 });
      return json.status === 'error';
    });
    const later = await reply(server, sessionId, { forkSession: true, prompt: 'look around' });

    for (const { json } of [meanwhile, later])
      expect(json).toMatchObject({ status: 'error', result: { ...spent, totalCostUsd: 0 } });
    expect(model.requests().length).toBeLessThanOrEqual(Math.ceil(0.03 / answerUsd));
  });

  it('is not escaped by a command that kills Claude Code before it can tell what it has cost', async () => {
    const env = { CLAUDE_CODE_MCP_MAX_BUDGET_USD: '0.02', CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY: '0.02' };
    const scene = await startScene({ era: 'modern', env });
    const { server, model, sandbox } = scene;
    const look = tool('Glob', { pattern: '*.none' });
    model.when('vanish', [look, tool('Bash', { command: 'kill -9 $PPID' })]);
    const vanish = { prompt: 'vanish', cwd: sandbox.project, allowedTools: ['Bash'] };

    const first = await start(server, vanish);
    const second = await reply(server, first.json.sessionId, { prompt: 'vanish' });
    const beyond = [
      await reply(server, first.json.sessionId, { prompt: 'vanish' }),
      await start(server, vanish),
    ];

    for (const { json } of [first, second])
      expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'crashed', totalCostUsd: 0 } });
    for (const { text: words } of beyond)
      expect(words).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: this server's budget for today is spent/);
    expect(model.requests()).toHaveLength(4);
  });

  it('knows what a fork spends on another server', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene, { maxBudgetUsd: 3 * answerUsd });
    const { json: fork } = await reply(scene.server, sessionId, { forkSession: true });
    await scene.server.call('claude_code_session', { action: 'interrupt', sessionId: fork.sessionId });
    const neighbour = await connect(scene);
    // The copy has its process on the first server: a copy of the copy is free.
    await reply(neighbour, fork.sessionId, { forkSession: true });
    await written(scene, 'budgets', 3);

    const parent = await reply(scene.server, sessionId);

    expect(parent.json).toMatchObject({ status: 'error', result: spent });
    expect(scene.model.requests()).toHaveLength(3);
  });

  it('stays that of the session when /clear has given the conversation another id', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, sandbox, model } = scene;
    sandbox.trustFolder(sandbox.project);
    const sessionId = await startIdle(scene, {
      maxBudgetUsd: answerUsd * 2,
      advanced: { slashCommands: true },
    });
    await reply(server, sessionId, { prompt: '/clear' });
    await reply(server, sessionId, { prompt: 'after' });
    const listed = await server.call('claude_code_session', { action: 'list', scope: 'disk' });
    const aliases = join(sandbox.stateDir, 'sessions', 'aliases');
    const claudeIds = await until('the alias is written', () => {
      const names = existsSync(aliases) ? readdirSync(aliases).filter((name) => !name.endsWith('.tmp')) : [];
      return names.length > 0 && names;
    });
    const again = await restart(scene);

    const beyond = await Promise.all(claudeIds.map((id) => reply(again, id)));

    expect(claudeIds).toHaveLength(1);
    expect(listed.text).toContain(sessionId);
    for (const { json } of beyond) expect(json).toMatchObject({ sessionId, status: 'error', result: spent });
    expect(model.requests()).toHaveLength(2);
  });
});

describe('the budget of a day', () => {
  it('stops new work on every server that shares the state', async () => {
    const env = { CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY: '0.008' };
    const scene = await startScene({ era: 'modern', env });
    const neighbour = await connect(scene, env);

    const { sessionId: first } = (await start(scene.server)).json;
    const { sessionId: second } = (await start(neighbour)).json;
    await written(scene, 'usage', 2);
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
});

describe('the totals', () => {
  it('of start, replies, eviction, resume, fork and kill are the sum of what each call says', async () => {
    const scene = await startScene({ era: 'modern', env: evicting });
    const { server, model, sandbox } = scene;
    const sessionId = await startIdle(scene);
    const answers = [
      await reply(server, sessionId),
      await reply(server, sessionId, { prompt: 'again' }),
      await reply(server, sessionId, { prompt: 'once more' }),
    ];
    await evicted(scene);
    answers.push(await reply(server, sessionId, { prompt: 'resumed' }));
    const fork = await reply(server, sessionId, { forkSession: true });
    const held = createGate();
    model.when('hold', [tool('Glob', { pattern: '*.none' }), gate(held, text('never'))]);
    await server.call('claude_code_reply', { sessionId, prompt: 'hold' });
    await held.reached;
    for (const { pid, command } of sandbox.processes())
      if (command.includes('stream-json')) process.kill(pid, 'SIGKILL');
    answers.push(await server.call('claude_code_check', { sessionId, waitMs: 20_000 }));
    answers.push(await reply(server, sessionId, { prompt: 'alive again' }));
    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    await server.close();

    const costs = [answerUsd, ...answers.map(({ json }) => json.result?.totalCostUsd ?? Number.NaN)];
    const sum = costs.reduce((total, cost) => total + cost, 0);
    expect(got.json.totalCostUsd).toBeCloseTo(sum, 8);
    expect(answers.at(-1)?.json.result?.sessionTotalCostUsd).toBeCloseTo(sum, 8);
    expect(costs.filter((cost) => cost === answerUsd)).toHaveLength(6);
    expect(fork.json.result).toMatchObject({ totalCostUsd: answerUsd, sessionTotalCostUsd: answerUsd });
    expect(ledgerUsd(scene)).toBeCloseTo(sum + answerUsd, 8);
  });
});

describe('the total of a session in which nothing was killed, forked or cleared', () => {
  it('is what Claude Code itself has written down', async () => {
    const scene = await startScene({ era: 'modern', env: evicting });
    const { server, sandbox } = scene;
    const sessionId = await startIdle(scene);
    await reply(server, sessionId);
    await evicted(scene);
    await reply(server, sessionId, { prompt: 'resumed' });
    await reply(server, sessionId, { prompt: 'once more' });

    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    await evicted(scene);

    const written = readTranscript(sandbox, sessionId)
      .split('\n')
      .findLast((line) => line.includes('"cost-state"'));
    const { totalCostUSD } = JSON.parse(written ?? '{}') as { totalCostUSD?: number };
    expect(totalCostUSD).toBeCloseTo(4 * answerUsd, 8);
    expect(got.json.totalCostUsd).toBeCloseTo(totalCostUSD ?? Number.NaN, 8);
  });
});

/** Until every server can read what so many turns have cost: it is written behind the answer. */
async function written({ sandbox }: Scene, folder: 'budgets' | 'usage', turns: number): Promise<void> {
  await until('it is on disk', () => linesIn(join(sandbox.stateDir, folder)).length >= turns);
}

function linesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
}

/** What the file of the day says, over all sessions. */
function ledgerUsd({ sandbox }: Scene): number {
  return linesIn(join(sandbox.stateDir, 'usage'))
    .map((line) => (JSON.parse(line) as { costUsd: number }).costUsd)
    .reduce((total, cost) => total + cost, 0);
}
