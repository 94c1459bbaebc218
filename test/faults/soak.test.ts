/** A server under random work. SOAK_SECONDS: how long. FAULT_SEED: to repeat the order of the work. */
import { expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { createRandom } from './random.js';
import { soak } from './soak-run.js';
import { SoakWorld } from './soak-world.js';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 5);
const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000));

it(
  'a server agrees with the expectation after any order of operations',
  async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
    const world = new SoakWorld({ server, model, project: sandbox.project }, createRandom(seed));

    const disagreements = await soak(world, {
      durationMs: seconds * 1_000,
      maxSessions: 1_000,
      lanes: 8,
      pauseMs: 0,
    });

    const { sessions, operations } = world;
    process.stdout.write(
      `FAULT_SEED=${seed}: ${seconds} s, ${sessions} sessions, ${operations} operations\n`,
    );
    expect(disagreements).toEqual([]);
  },
  seconds * 1_000 + 30_000,
);
