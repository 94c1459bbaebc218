/**
 * The service under load: many clients follow a few sessions. The time of a poll runs from the call of the client until
 * its parsed answer, so it contains the client's own work and its waiting for a core. How late the timers of the clients
 * are shows how much of the tail is not the service's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { heapOf, soakEntry } from '../faults/soak-gauges.js';
import { useFaultyMode } from '../kit/faulty-cli-env.js';
import type { Sandbox } from '../kit/sandbox.js';
import { HttpClients, type ShareFindings } from './http-clients.js';
import { Poller, type Service } from './http-poller.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { ms } from './timing.js';

const CLIENTS = 200;
/** In one process, the clients would wait for each other. */
const CLIENT_PROCESSES = 4;
const SESSIONS = 8;
/** At ten per second. */
const EVENTS = 200;
const POLL_MS = 2_000;
/** Timers of the bench that are later than this show that other processes used the machine. */
const NOISY_MS = 20;
/** Idle sessions leave the memory after this time. */
const TTL_MS = 6_000;

interface RunningService extends Service {
  heap(): Promise<number>;
  stop(): Promise<void>;
}

export const http = defineRow({
  name: 'http',
  // The heap is read by a signal.
  platform: 'linux',
  budget: {
    tail: { what: `p99 of a poll by ${CLIENTS} clients / its p50`, max: 5, unit: 'x' },
    wrong: { what: 'events lost or repeated', max: 0, unit: 'calls' },
    heap: { what: 'heap after the clients left / before they came', max: 1.2, unit: 'x' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      const claude = join(sandbox.root, 'claude');
      useFaultyMode(claude, 'drip', { count: EVENTS });
      const service = await startService(sandbox, claude);
      try {
        // Loads and compiles everything first.
        await run(service, { cwd: sandbox.project, clients: 20, sessions: 2 });
        const before = await service.heap();
        const shares = await run(service, { cwd: sandbox.project, clients: CLIENTS, sessions: SESSIONS });
        const followed = shares.flatMap((share) => share.followed);
        const after = await service.heap();
        const times = followed.flatMap((one) => one.times).toSorted((a, b) => a - b);
        const [p50, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)] ?? 0) as [
          number,
          number,
        ];
        const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
        return {
          values: {
            tail: p99 / p50,
            wrong: sum(followed.map(({ wrong }) => wrong)),
            heap: after / before,
          },
          detail: [
            `${times.length} polls, p50 ${ms(p50)}, p99 ${ms(p99)}, slowest ${ms(times.at(-1) ?? 0)}`,
            `timers of the clients late by ${late(Math.max(...shares.map(({ lateMs }) => lateMs)))} (p99)`,
            `${sum(followed.map(({ events }) => events))} events`,
            `heap ${mib(before)} before, ${mib(after)} after`,
          ].join('; '),
        };
      } finally {
        await service.stop();
      }
    }),
});

interface Load {
  readonly cwd: string;
  readonly clients: number;
  readonly sessions: number;
}

async function run(service: Service, { cwd, clients, sessions }: Load): Promise<readonly ShareFindings[]> {
  const share = { service, clients: clients / CLIENT_PROCESSES, everyMs: POLL_MS };
  const shares = await Promise.all(
    Array.from({ length: CLIENT_PROCESSES }, () => HttpClients.connect(share)),
  );
  const starter = new Poller(service, 'modern');
  await starter.connect();
  const ids: string[] = [];
  while (ids.length < sessions) ids.push(await starter.start(cwd));
  const found = await Promise.all(shares.map((one) => one.follow(ids)));
  await starter.close();
  return found;
}

async function startService(sandbox: Sandbox, claude: string): Promise<RunningService> {
  const heapFile = join(sandbox.root, 'heap');
  const child = spawn(process.execPath, [soakEntry, 'serve', '--port', '0', '--json'], {
    env: {
      ...sandbox.env(),
      SOAK_HEAP: heapFile,
      LOG_LEVEL: 'error',
      CLAUDE_CODE_PATH: claude,
      CLAUDE_CODE_MCP_SESSION_TTL_MS: String(TTL_MS),
      CLAUDE_CODE_MCP_IDLE_PROCESS_MS: String(TTL_MS),
      CLAUDE_CODE_MCP_CLEANUP_INTERVAL_MS: '1000',
    },
    cwd: sandbox.project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, pid, token } = JSON.parse(line) as { url: string; pid: number; token: string };
  return {
    url,
    token,
    async heap() {
      await pause(TTL_MS + 3_000);
      return heapOf(pid, heapFile);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function late(delayMs: number): string {
  return `${ms(delayMs)}${delayMs > NOISY_MS ? ' (noisy)' : ''}`;
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
