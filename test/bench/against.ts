/** `--against "<command>"`: start, tools/list, memory and exit of another MCP server, interleaved with this one. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { withStage } from './stage.js';
import { interleave, minimum, ms } from './timing.js';

const ROUNDS = 7;
/** A server that needs longer, such as a package that is downloaded first, has failed. */
const ANSWER_MS = 60_000;
/** How long a server may take to exit after the end of its input. */
const EXIT_MS = 5_000;
const OURS = fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));

interface Visit {
  readonly initializeMs: number;
  readonly listMs: number;
  readonly listBytes: number;
  readonly tools: number;
  /** After tools/list; undefined where the system does not report it. */
  readonly rssMb: number | undefined;
  /** From the end of input; undefined if it had to be killed. */
  readonly exitMs: number | undefined;
}

export type Comparison = Readonly<Record<string, readonly Visit[]>>;

export async function compareWith(command: string): Promise<Comparison> {
  return withStage(async ({ sandbox }) => {
    const env = { PATH: process.env['PATH'] ?? '', ...sandbox.env() };
    const servers = { ours: [process.execPath, OURS], theirs: ['sh', '-c', `exec ${command}`] } as const;
    const visits: Record<keyof typeof servers, Visit[]> = { ours: [], theirs: [] };
    const visiting = (name: keyof typeof servers) => async (): Promise<number> => {
      const visit = await visitServer(servers[name], env);
      visits[name].push(visit);
      return visit.initializeMs;
    };
    const cases = { ours: visiting('ours'), theirs: visiting('theirs') };
    // The first visit reads the files from disk, or installs a package.
    await interleave(1, cases);
    visits.ours.length = 0;
    visits.theirs.length = 0;
    await interleave(ROUNDS, cases);
    return { 'this server': visits.ours, [command]: visits.theirs };
  });
}

/** The minimum of each figure, as a table. */
export function toComparison(compared: Comparison): string {
  const least = (visits: readonly Visit[], key: keyof Visit): number =>
    minimum(visits.map((visit) => visit[key] ?? Number.POSITIVE_INFINITY));
  const shown = (value: number, unit: (value: number) => string): string =>
    Number.isFinite(value) ? unit(value) : '-';
  return Object.entries(compared)
    .map(([name, visits]) =>
      [
        `${name}:`,
        `initialize ${ms(least(visits, 'initializeMs'))},`,
        `tools/list ${ms(least(visits, 'listMs'))} (${least(visits, 'tools')} tools, ${least(visits, 'listBytes')} bytes),`,
        `memory ${shown(least(visits, 'rssMb'), (value) => `${value.toFixed(0)} MB`)},`,
        `exit ${shown(least(visits, 'exitMs'), ms)}`,
      ].join(' '),
    )
    .join('\n');
}

async function visitServer(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<Visit> {
  const startedAt = performance.now();
  const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  try {
    return await talk(child, startedAt);
  } finally {
    endGroup(child.pid);
  }
}

async function talk(child: ChildProcessByStdio<Writable, Readable, null>, startedAt: number): Promise<Visit> {
  const exited = once(child, 'exit');
  // A server that has exited cannot be written to; its exit is reported instead.
  child.stdin.on('error', () => undefined);
  const failed = Promise.race([
    exited.then(([code]) => `it exited with ${String(code)}`),
    later(ANSWER_MS, `no answer within ${ANSWER_MS / 1_000} s`),
  ]).then((reason): never => {
    throw new Error(`a server cannot be measured: ${reason}`);
  });
  failed.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done = false } = await Promise.race([lines.next(), failed]);
      if (done) return failed;
      if (isAnswerTo(id, value)) return value;
    }
  };
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const initializedAt = performance.now();
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const list = await ask(2, 'tools/list', {});
  const listedAt = performance.now();
  const rssMb = child.pid === undefined ? undefined : residentMb(child.pid);
  const endedAt = performance.now();
  child.stdin.end();
  const hasExited = await Promise.race([exited.then(() => true), later(EXIT_MS, false)]);
  const { result } = JSON.parse(list) as { readonly result?: { readonly tools?: readonly unknown[] } };
  return {
    initializeMs: initializedAt - startedAt,
    listMs: listedAt - initializedAt,
    listBytes: Buffer.byteLength(list),
    tools: result?.tools?.length ?? 0,
    rssMb,
    exitMs: hasExited ? performance.now() - endedAt : undefined,
  };
}

/** Other lines are logs, notifications or requests. */
function isAnswerTo(id: number, line: string): boolean {
  try {
    const message = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown };
    return message.id === id && message.method === undefined;
  } catch {
    return false;
  }
}

function later<T>(delayMs: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), delayMs).unref());
}

function residentMb(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
  } catch {
    return undefined;
  }
}

/** A command may have started further processes. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have exited.
  }
}
