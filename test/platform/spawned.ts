import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { ProcessInfo, SystemUser } from '../../src/core/processes.js';
import { isSameProcess, listProcesses } from '../../src/platform/processes.js';

const IDLE = 'setInterval(() => {}, 1e6);';
const DEADLINE_MS = 5000;

export interface SpawnOptions {
  /** Runs in a session and group of its own, as Bash does inside Claude Code. */
  readonly detached?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as this user. */
  readonly user?: SystemUser;
}

/** A process that does nothing until it is killed. */
export function spawnIdle(options: SpawnOptions = {}): Promise<ProcessInfo> {
  return startScript(`process.stdout.write('ready\\n'); ${IDLE}`, options).then(({ info }) => info);
}

/** A parent and its child; `options` are the child's. */
export async function spawnPair(options: SpawnOptions): Promise<{ parent: ProcessInfo; child: ProcessInfo }> {
  const { info: parent, line } = await startScript(parentScript(options));
  return { parent, child: await describe(Number(line)) };
}

/** A parent, a child that leads a group of its own, and that child's child, which is in the same group. */
export async function spawnGroup(): Promise<{
  parent: ProcessInfo;
  leader: ProcessInfo;
  member: ProcessInfo;
}> {
  const leaderScript = `${launch(IDLE, {})} process.stdout.write(process.pid + ' ' + child.pid + '\\n'); ${IDLE}`;
  const script = `${launch(leaderScript, { detached: true }, 'inherit')} ${IDLE}`;
  const { info: parent, line } = await startScript(script);
  const [leader = '', member = ''] = line.split(' ');
  return { parent, leader: await describe(Number(leader)), member: await describe(Number(member)) };
}

export async function untilGone(info: ProcessInfo): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (await isSameProcess(info)) {
    if (Date.now() > deadline) throw new Error(`process ${info.pid} is still there`);
  }
}

async function describe(pid: number): Promise<ProcessInfo> {
  const info = (await listProcesses()).find((candidate) => candidate.pid === pid);
  if (info === undefined) throw new Error(`no process ${pid}`);
  onTestFinished(() => end(pid));
  return info;
}

function parentScript(options: SpawnOptions): string {
  return `${launch(IDLE, options)} child.once('spawn', () => process.stdout.write(child.pid + '\\n')); ${IDLE}`;
}

function launch(script: string, { detached = false, env = {} }: SpawnOptions, stdout = 'ignore'): string {
  const options = JSON.stringify({ detached, stdio: ['ignore', stdout, 'ignore'] });
  return `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}],
    { ...${options}, env: { ...process.env, ...${JSON.stringify(env)} } });`;
}

/** Runs a script and waits for the first line that it, or a child with its output, prints. */
export async function startScript(script: string, options: SpawnOptions = {}) {
  const { detached = false, env = {}, user } = options;
  const child = spawn(process.execPath, ['-e', script], {
    detached,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  });
  if (child.pid === undefined) throw new Error('not started');
  const info = await describe(child.pid);
  const [chunk]: unknown[] = await once(child.stdout, 'data');
  return { info, line: String(chunk).trim() };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already, as most tests want it.
  }
}
