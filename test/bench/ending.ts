/** How long the server takes to exit with everything that it started, and whether something is left. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { faultyCli } from '../kit/faulty-cli-env.js';
import { text, tool } from '../kit/model-steps.js';
import type { ServerClient } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { defineRow } from './row.js';
import { withStage, type Stage } from './stage.js';

const STAND_INS = 100;
const REAL = 10;
const OTHERS = 1_500;
/** A command that ignores requests to exit, and another that has left its session besides. */
const STUBBORN = `trap '' TERM INT HUP; setsid tail -f /dev/null & tail -s 2 -f /dev/null`;

interface Ended {
  readonly seconds: number;
  /** Alive when the server has exited. */
  readonly left: number;
  readonly before: number;
}

export const ending = defineRow({
  name: 'ending',
  // Other systems cannot show which processes belong to a sandbox.
  platform: 'linux',
  budget: {
    many: { what: `end of ${STAND_INS} live sessions of a stand-in for Claude Code`, max: 1, unit: 's' },
    crowded: {
      what: `end of ${REAL} real sessions with stubborn commands, among ${OTHERS} other processes`,
      max: 2.5,
      unit: 's',
    },
    left: { what: 'processes left when the server has exited', max: 0, unit: 'processes' },
  },
  async measure() {
    const many = await withStage(endStandIns);
    const crowded = await amongOthers(() => withStage(endStubborn));
    return {
      values: { many: many.seconds, crowded: crowded.seconds, left: many.left + crowded.left },
      detail: [many, crowded]
        .map(({ before, left, seconds }) => `${before} processes, ${left} left after ${seconds.toFixed(2)} s`)
        .join('; '),
    };
  },
});

/** All of them are in a turn. */
async function endStandIns(stage: Stage): Promise<Ended> {
  const { connect, sandbox } = stage;
  const server = await connect({
    env: { ...faultyCli('drip', { count: 10_000 }), CLAUDE_CODE_MCP_MAX_SESSIONS: String(STAND_INS) },
  });
  await Promise.all(
    Array.from({ length: STAND_INS }, () =>
      server.call('claude_code', { prompt: 'go', cwd: sandbox.project }),
    ),
  );
  return end(server, stage);
}

async function endStubborn(stage: Stage): Promise<Ended> {
  const { connect, model, sandbox } = stage;
  model.when('hang', [tool('Bash', { command: STUBBORN }), text('over')]);
  const server = await connect({ env: { CLAUDE_CODE_MCP_MAX_SESSIONS: String(REAL) } });
  const args = { prompt: 'hang', cwd: sandbox.project, allowedTools: ['Bash'] };
  await Promise.all(Array.from({ length: REAL }, () => server.call('claude_code', args)));
  const countTails = (): number =>
    sandbox.processes().filter(({ command }) => command.startsWith('tail ')).length;
  await until('all commands run', () => countTails() === 2 * REAL);
  return end(server, stage);
}

async function end(server: ServerClient, { sandbox }: Stage): Promise<Ended> {
  const before = sandbox.processes().length;
  const startedAt = performance.now();
  server.endInput();
  await server.exited;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, before, left: sandbox.processes().length };
}

/** Other processes of the same user, which every search of the server has to look at. */
async function amongOthers<T>(work: () => Promise<T>): Promise<T> {
  const script = `for i in $(seq ${OTHERS}); do sleep 600 & done; echo up; wait`;
  const crowd = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const leave = (): void => {
    if (crowd.pid !== undefined) process.kill(-crowd.pid, 'SIGKILL');
  };
  process.once('exit', leave);
  try {
    await once(crowd.stdout, 'data');
    return await work();
  } finally {
    process.removeListener('exit', leave);
    leave();
  }
}
