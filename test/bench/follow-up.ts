/** A second prompt to a live process, compared with one that starts and resumes a new process. */
import { setTimeout as pause } from 'node:timers/promises';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { describeTimes, minimum, timed } from './timing.js';

const ROUNDS = 7;
const WAIT_MS = 40_000;
const IDLE_PROCESS_MS = 300;
/** When a process has left the process table, the server still closes its pipes and looks for descendants. */
const SETTLE_MS = 200;
const EVICTION_LIMIT_MS = 10_000;

export const followUp = defineRow({
  name: 'follow-up',
  // Reads /proc to see whether a process has exited.
  platform: 'linux',
  budget: { ratio: { what: 'a follow-up turn, compared with respawn and resume', max: 0.2, unit: 'x' } },
  measure: () =>
    withStage(async ({ connect, sandbox }) => {
      const server = await connect({ env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: String(IDLE_PROCESS_MS) } });
      const claudePids = (): readonly number[] =>
        sandbox
          .processes()
          .map(({ pid }) => pid)
          .filter((pid) => pid !== server.pid);
      const { json } = await server.call('claude_code', {
        prompt: 'turn 1',
        cwd: sandbox.project,
        waitMs: WAIT_MS,
      });
      let turn = 1;
      const reply = async (): Promise<number> => {
        turn += 1;
        const args = { sessionId: json.sessionId, prompt: `turn ${turn}`, waitMs: WAIT_MS };
        return timed(async () => {
          const answer = await server.call('claude_code_reply', args);
          if (answer.json.result?.turn !== turn)
            throw new Error(`no result for turn ${turn}: ${answer.text}`);
        });
      };

      const times = { respawned: [] as number[], live: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        await untilEmpty(claudePids);
        await pause(SETTLE_MS);
        times.respawned.push(await reply());
        const [pid] = claudePids();
        times.live.push(await reply());
        if (pid === undefined || !claudePids().includes(pid)) throw new Error('the process was not reused');
      }
      return {
        values: { ratio: minimum(times.live) / minimum(times.respawned) },
        detail: `live ${describeTimes(times.live)}; respawned ${describeTimes(times.respawned)}`,
      };
    }),
});

async function untilEmpty(list: () => readonly number[]): Promise<void> {
  const deadline = Date.now() + EVICTION_LIMIT_MS;
  while (list().length > 0) {
    if (Date.now() > deadline) throw new Error('the idle process was not closed');
    await pause(20);
  }
}
