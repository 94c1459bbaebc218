/** Ten times as many of anything must not cost more than ten times the work. Counted, not timed. */
import { measureInChild } from './child.js';
import type { Growth, GrowthFindings, GrowthSizes } from './growth-child.js';
import { defineRow, type Row } from './row.js';

/** The largest are ten times these. */
const full: GrowthSizes = { events: 10_000, waits: 200, sessions: 100, records: 2_000, messages: 5_000 };
/** Enough to tell linear from quadratic, in a few seconds. */
const small: GrowthSizes = { events: 10_000, waits: 20, sessions: 10, records: 200, messages: 1_000 };

export const growth = growthRow(full);
export const smallGrowth = growthRow(small);

function growthRow(sizes: GrowthSizes): Row {
  const large = (count: number): string => (10 * count).toLocaleString('en');
  const perItem = (what: string, count: number) =>
    ({ what: `${what}, ${large(count)} compared with a tenth`, max: 1.1, unit: 'x' }) as const;
  return defineRow({
    name: 'growth',
    budget: {
      events: perItem('work per event', sizes.events),
      waits: perItem('work per wait', sizes.waits),
      sessions: perItem('work per session', sizes.sessions),
      poll: { ...perItem('work of a poll beside sessions', sizes.sessions), max: 1.05 },
      // A list is sorted, which adds a logarithm.
      records: { ...perItem('work per record of a list', sizes.records), max: 1.5 },
      messages: perItem('work per message of all pages', sizes.messages),
      newest: { ...perItem('work of the newest page of messages', sizes.messages), max: 1.05 },
    },
    async measure() {
      const found = await measureInChild<GrowthFindings>(new URL('growth-child.ts', import.meta.url), {
        args: [JSON.stringify(sizes)],
        // Optimized code does not count the functions that it has inlined.
        execArgv: ['--import', 'tsx', '--no-opt'],
        env: { PATH: process.env['PATH'] ?? '' },
      });
      return {
        values: {
          events: perThing(found.events),
          waits: perThing(found.waits),
          sessions: perThing(found.sessions),
          poll: found.poll.many / found.poll.few,
          records: perThing(found.records),
          messages: perThing(found.messages),
          newest: found.newest.many / found.newest.few,
        },
        detail: Object.entries(found)
          .map(
            ([name, { count, few, many }]) =>
              `${name} ${few} blocks of code for ${count}, ${many} for ${10 * count}`,
          )
          .join('; '),
      };
    },
  });
}

function perThing({ few, many }: Growth): number {
  return many / few / 10;
}
