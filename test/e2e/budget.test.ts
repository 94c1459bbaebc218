import { readdirSync, writeFileSync } from 'node:fs';
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
import { costsOnDisk } from '../kit/journals.js';

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
  // More processes, and a higher budget afterwards, are tested in process.
  it('is what is left of it for each process, and nothing is asked of the model once it is spent', async () => {
    const scene = await startLoggedScene(evicting);
    const { server, model, log } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 0.006 });
    await evicted(scene);

    const second = await reply(server, sessionId);
    const beyond = await reply(server, sessionId);

    expect(second.json).toMatchObject({
      status: 'error',
      result: { ...spent, totalCostUsd: answerUsd, sessionTotalCostUsd: 2 * answerUsd },
    });
    expect(beyond.json).toMatchObject({ status: 'error', result: { ...spent, totalCostUsd: 0 } });
    expect(model.requests()).toHaveLength(2);
    expect(budgets(log)).toEqual([0.006, expect.closeTo(0.006 - answerUsd, 6)]);
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
    const beyond = [
      await reply(server, first.json.sessionId, { prompt: 'vanish' }),
      await start(server, vanish),
    ];

    expect(first.json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'crashed', totalCostUsd: 0 },
    });
    for (const { text: words } of beyond)
      expect(words).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: this server's budget for today is spent/);
    expect(model.requests()).toHaveLength(2);
  });

  it('knows what a fork spends on another server', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene, { maxBudgetUsd: 3 * answerUsd });
    const { json: fork } = await reply(scene.server, sessionId, { forkSession: true });
    await scene.server.call('claude_code_session', { action: 'interrupt', sessionId: fork.sessionId });
    const neighbour = await connect(scene);
    // The copy has its process on the first server: a copy of the copy is free.
    await reply(neighbour, fork.sessionId, { forkSession: true });
    await until('it is on disk', () => costsOnDisk(scene).length >= 3);

    const parent = await reply(scene.server, sessionId);

    expect(parent.json).toMatchObject({ status: 'error', result: spent });
    expect(scene.model.requests()).toHaveLength(3);
  });

  it('stays that of the session when /clear has given the conversation another id', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const { server, sandbox, model } = scene;
    sandbox.trustFolder(sandbox.project);
    const sessionId = await startIdle(scene, {
      maxBudgetUsd: answerUsd * 2,
      advanced: { slashCommands: true },
    });
    await reply(server, sessionId, { prompt: '/clear' });
    await reply(server, sessionId, { prompt: 'after' });
    const listed = await server.call('claude_code_session', { action: 'list', scope: 'disk' });
    const again = await restart(scene);
    // A server that has ended has written everything.
    const claudeIds = readdirSync(join(sandbox.stateDir, 'sessions', 'aliases'));

    const beyond = await Promise.all(claudeIds.map((id) => reply(again, id)));

    expect(claudeIds).toHaveLength(1);
    expect(listed.text).toContain(sessionId);
    for (const { json } of beyond) expect(json).toMatchObject({ sessionId, status: 'error', result: spent });
    expect(model.requests()).toHaveLength(2);
  });
});

describe('the totals', () => {
  it('are what Claude Code has written down, and after a fork and a kill the sum of what each call says', async () => {
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
    const before = await server.call('claude_code_session', { action: 'get', sessionId });
    await evicted(scene);
    const written = costState(scene, sessionId);
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

    expect(written).toBeCloseTo(5 * answerUsd, 8);
    expect(before.json.totalCostUsd).toBeCloseTo(written, 8);
    const costs = [answerUsd, ...answers.map(({ json }) => json.result?.totalCostUsd ?? Number.NaN)];
    const sum = costs.reduce((total, cost) => total + cost, 0);
    // The killed process did not report its cost, so the server counts an upper bound.
    expect(got.json.totalCostUsd).toBeGreaterThan(sum + answerUsd);
    expect(answers.at(-1)?.json.result?.sessionTotalCostUsd).toBe(got.json.totalCostUsd);
    expect(costs.filter((cost) => cost === answerUsd)).toHaveLength(6);
    expect(fork.json.result).toMatchObject({ totalCostUsd: answerUsd, sessionTotalCostUsd: answerUsd });
    expect(ledgerUsd(scene)).toBeCloseTo((got.json.totalCostUsd ?? 0) + answerUsd, 8);
  });
});

/** What Claude Code itself says the session has cost. */
function costState({ sandbox }: Scene, sessionId: string): number {
  const line = readTranscript(sandbox, sessionId)
    .split('\n')
    .findLast((written) => written.includes('"cost-state"'));
  return (JSON.parse(line ?? '{}') as { totalCostUSD?: number }).totalCostUSD ?? Number.NaN;
}

/** What the journals say, over all sessions. */
function ledgerUsd(scene: Scene): number {
  return costsOnDisk(scene).reduce((total, { costUsd }) => total + costUsd, 0);
}
