/** The CPU time that the server adds to reading Claude Code's messages. */
import { faultyCli } from '../kit/faulty-cli-env.js';
import { measureInChild } from './child.js';
import type { CpuFindings } from './cpu-child.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { describeTimes, interleave, minimum } from './timing.js';

/** Many events, so that the fixed cost of a turn does not matter. */
const EVENTS = 20_000;
const ROUNDS = 7;

export const cpu = defineRow({
  name: 'cpu',
  budget: {
    ratio: { what: 'CPU time per 1,000 events, compared with the bare SDK iterator', max: 1.15, unit: 'x' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      // In milliseconds per 1,000 events.
      const measure = (kind: 'bare' | 'server') => async (): Promise<number> => {
        const found = await measureInChild<CpuFindings>(new URL('cpu-child.ts', import.meta.url), {
          args: [kind, sandbox.project],
          env: { ...sandbox.env(), ...faultyCli('flood', { count: EVENTS }) },
        });
        if (found.events < EVENTS * found.turns) throw new Error(`only ${found.events} events arrived`);
        return found.turnUs / EVENTS;
      };
      const times = await interleave(ROUNDS, { bare: measure('bare'), server: measure('server') });
      return {
        values: { ratio: minimum(times.server) / minimum(times.bare) },
        detail: `per 1,000 events: server ${describeTimes(times.server)}; bare ${describeTimes(times.bare)}`,
      };
    }),
});
