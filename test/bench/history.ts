/** A long history must not slow down the next poll or grow the server. */
import type { HistoryFindings } from './history-child.js';
import { measureInChild } from './child.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';

const MEGABYTE = 1_000_000;

export const history = defineRow({
  name: 'history',
  budget: {
    poll: { what: 'a poll after 100,000 events, compared with 100', max: 1.2, unit: 'x' },
    memory: { what: 'memory growth over 100,000 events', max: 20, unit: 'MB' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      const found = await measureInChild<HistoryFindings>(new URL('history-child.ts', import.meta.url), {
        args: [sandbox.project],
        env: sandbox.env(),
      });
      if (found.manyEvents < 100_000) throw new Error(`only ${found.manyEvents} events arrived`);
      return {
        values: {
          poll: found.manyPollUs / found.fewPollUs,
          memory: found.grownBytes / MEGABYTE,
        },
        detail:
          `a poll takes ${found.fewPollUs.toFixed(1)} us at ${found.fewEvents} events, ` +
          `${found.manyPollUs.toFixed(1)} us at ${found.manyEvents}`,
      };
    }),
});
