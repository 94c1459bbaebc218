/** The built server and the real Claude Code under random work. SOAK_MINUTES: how long; without it, nothing runs. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';
import { createRandom } from './random.js';
import { Descriptors, heapOf, soakEntry } from './soak-gauges.js';
import { soak } from './soak-run.js';
import { SoakWorld } from './soak-world.js';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 0);
const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const maxSessions = Number(process.env['SOAK_SESSIONS'] ?? 1_000);
const durationMs = minutes * 60_000;

it.skipIf(minutes === 0 || process.platform !== 'linux')(
  'memory and descriptors stay flat, and model and server agree',
  async () => {
    const { model, sandbox } = await startBackstage();
    const heapFile = join(sandbox.root, 'heap');
    const server = await connectServer({
      sandbox,
      model,
      era: 'modern',
      entry: soakEntry,
      env: {
        SOAK_HEAP: heapFile,
        LOG_LEVEL: 'warn',
        // Sessions leave the memory, and processes their sessions, several times during the soak.
        CLAUDE_CODE_MCP_SESSION_TTL_MS: '60000',
        CLAUDE_CODE_MCP_CLEANUP_INTERVAL_MS: '10000',
        CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '20000',
      },
    });
    const descriptors = new Descriptors(server.pid);
    const world = new SoakWorld({ server, model, project: sandbox.project }, createRandom(seed));
    const heap: number[] = [];
    const measure = async (): Promise<void> => {
      for (let part = 1; part <= 5; part += 1) {
        await pause(durationMs / 5);
        heap.push(await heapOf(server.pid, heapFile));
        print({ heap, world, descriptors });
      }
    };

    const measured = measure();
    const disagreements = await soak(world, { durationMs, maxSessions, lanes: 8, pauseMs: 300 });
    await measured;
    descriptors.stop();
    const left = descriptors.now();
    await server.close();

    const [warm = 0, last = 0] = [heap[0], heap.at(-1)];
    process.stdout.write(`FAULT_SEED=${seed}: ${left} descriptors at the end\n${disagreements.join('\n')}\n`);
    expect(disagreements).toEqual([]);
    expect(last).toBeLessThan(warm * 1.1);
    expect(descriptors.peak).toBeLessThan(200);
  },
  durationMs + 120_000,
);

function print({
  heap,
  world,
  descriptors,
}: {
  readonly heap: readonly number[];
  readonly world: SoakWorld;
  readonly descriptors: Descriptors;
}): void {
  const sizes = heap.map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MiB`).join(', ');
  const { sessions, operations } = world;
  process.stdout.write(
    `heap ${sizes}; descriptors ${descriptors.now()}, at most ${descriptors.peak}; ${sessions} sessions, ${operations} operations\n`,
  );
}
