/** Plays one kill: reach the phase, kill, start another server on the same state, and compare. */
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesWithVariable, type LiveProcess } from '../kit/live-processes.js';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';
import { startScriptedModel, type ScriptedModel } from '../kit/scripted-model.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';
import { callsOf, serverHeader } from './charges.js';
import { checkSession } from './kill-checks.js';
import type { KillPlan } from './kill-plan.js';
import { commandOf, watchdogOf } from './watchdog-of.js';
import { Witness } from './witness.js';

export interface KillOutcome {
  readonly plan: KillPlan;
  readonly violations: readonly string[];
  /** How long processes of the first server outlived the kill. */
  readonly goneAfterMs: number | undefined;
}

const sceneLimitMs = 40_000;
const goneLimitMs = 3_000;
const lastCallLimitMs = 2_000;
const serverVariable = 'FAULT_SERVER';

/** The servers of one scene and the processes that each of them started. */
class Servers {
  readonly #running: ServerClient[] = [];
  readonly #sandbox: Sandbox;
  readonly #model: ScriptedModel;
  readonly #plan: KillPlan;

  constructor(sandbox: Sandbox, model: ScriptedModel, plan: KillPlan) {
    this.#sandbox = sandbox;
    this.#model = model;
    this.#plan = plan;
  }

  async connect(name: string): Promise<ServerClient> {
    const server = await connectServer({
      sandbox: this.#sandbox,
      model: this.#model,
      era: this.#plan.era,
      env: {
        CLAUDE_CODE_MCP_BACKEND: this.#plan.backend,
        [serverVariable]: this.#mark(name),
        ANTHROPIC_CUSTOM_HEADERS: `${serverHeader}: ${name}`,
      },
    });
    this.#running.push(server);
    return server;
  }

  processesOf(name: string): readonly LiveProcess[] {
    return processesWithVariable(serverVariable, this.#mark(name));
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.close()));
  }

  #mark(name: string): string {
    return `${basename(this.#sandbox.root)}-${name}`;
  }
}

export async function playKill(plan: KillPlan): Promise<KillOutcome> {
  const sandbox = createSandbox();
  const model = await startScriptedModel();
  const servers = new Servers(sandbox, model, plan);
  try {
    return await Promise.race([play(plan, { sandbox, model, servers }), tooLong()]);
  } catch (error) {
    const violations = [`the scene failed: ${error instanceof Error ? error.message : String(error)}`];
    return { plan, violations, goneAfterMs: undefined };
  } finally {
    await servers.closeAll().catch(() => undefined);
    for (const { pid } of sandbox.processes()) kill(pid);
    await model.close();
    await sandbox.remove();
  }
}

async function tooLong(): Promise<never> {
  await pause(sceneLimitMs, undefined, { ref: false });
  throw new Error(`it takes longer than ${sceneLimitMs} ms`);
}

interface Backstage {
  readonly sandbox: Sandbox;
  readonly model: ScriptedModel;
  readonly servers: Servers;
}

async function play(plan: KillPlan, { sandbox, model, servers }: Backstage): Promise<KillOutcome> {
  const first = await servers.connect('first');
  const witness = new Witness(first);
  await plan.phase.reach({ witness, model, sandbox });
  await pause(plan.delayMs);
  if (plan.victim === 'claude') {
    witness.freeze();
    killAll(servers.processesOf('first').filter(isClaude));
    return {
      plan,
      goneAfterMs: undefined,
      violations: await checkSession(plan, {
        witness,
        model,
        sandbox,
        server: first,
      }),
    };
  }

  const survivesWatchdog = plan.victim !== 'watchdog' || (await replacesWatchdog(first.pid, servers));
  const watchdog = watchdogOf(first.pid);
  if (plan.victim === 'both' && watchdog !== undefined) kill(watchdog.pid);
  kill(first.pid);
  const killedAt = Date.now();
  await first.exited;
  const leftovers = (): readonly LiveProcess[] => [
    ...servers.processesOf('first'),
    ...(watchdog !== undefined && commandOf(watchdog.pid) === watchdog.command ? [watchdog] : []),
  ];
  let gone: Promise<Gone> | undefined;
  if (!plan.restartsAtOnce) await (gone = untilGone(leftovers, killedAt));
  const second = await servers.connect('second');
  // The session layer starts with the first call. Without a watchdog, nothing can end orphans before that.
  await second.call('claude_code_session', { action: 'list' });
  const sweptFrom = plan.victim === 'both' ? Date.now() : killedAt;
  gone ??= untilGone(leftovers, sweptFrom);
  const violations = await checkSession(plan, {
    witness,
    model,
    sandbox,
    server: second,
  });
  const { left, afterMs } = await gone;
  await servers.closeAll();
  return {
    plan,
    goneAfterMs: afterMs,
    violations: [
      ...(survivesWatchdog ? [] : ['the server did not replace its watchdog']),
      ...violations,
      ...left.map(({ command }) => `left after 3 s: ${command.slice(0, 80)}`),
      ...lateCalls(model, sweptFrom),
      ...servers
        .processesOf('second')
        .map(({ command }) => `left by the next server: ${command.slice(0, 80)}`),
    ],
  };
}

interface Gone {
  readonly left: readonly LiveProcess[];
  readonly afterMs: number;
}

async function untilGone(leftovers: () => readonly LiveProcess[], from: number): Promise<Gone> {
  for (;;) {
    const left = leftovers();
    if (left.length === 0 || Date.now() > from + goneLimitMs) return { left, afterMs: Date.now() - from };
    await pause(30);
  }
}

function lateCalls(model: ScriptedModel, from: number): readonly string[] {
  const late = callsOf(model, 'first').filter(({ at }) => at > from + lastCallLimitMs);
  return late.length === 0 ? [] : [`${late.length} API calls later than 2 s after the kill`];
}

/** Kills the watchdog, and waits for the next one, which there is as long as a Claude Code runs. */
async function replacesWatchdog(serverPid: number, servers: Servers): Promise<boolean> {
  const watchdog = watchdogOf(serverPid);
  if (watchdog === undefined) return true;
  kill(watchdog.pid);
  const deadline = Date.now() + goneLimitMs;
  while (Date.now() < deadline && servers.processesOf('first').some(isClaude)) {
    const next = watchdogOf(serverPid);
    if (next !== undefined && next.pid !== watchdog.pid) {
      // At once, it would be the death of both.
      await pause(100);
      return true;
    }
    await pause(20);
  }
  return !servers.processesOf('first').some(isClaude);
}

function isClaude({ command }: LiveProcess): boolean {
  return command.includes('stream-json');
}

function killAll(victims: readonly { readonly pid: number }[]): void {
  for (const { pid } of victims) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had already exited.
  }
}
