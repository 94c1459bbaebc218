/** Counts the work for ever more events, waits, sessions, records and messages. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './child.js';
import { WorkCounter } from './work.js';

/** The work for some things, and for ten times as many. */
export interface Growth {
  readonly count: number;
  readonly few: number;
  readonly many: number;
}

export interface GrowthSizes {
  readonly events: number;
  readonly waits: number;
  readonly sessions: number;
  readonly records: number;
  readonly messages: number;
}

export type GrowthFindings = Readonly<Record<keyof GrowthSizes | 'poll' | 'newest', Growth>>;

const work = await WorkCounter.start();
// Loaded only now, so that their work is counted.
const { eventsOf, pollOf, recordsOf, sessionsOf, waitsOf } = await import('./growth-cases.js');
const { allPagesOf, newestPageOf } = await import('./transcript-cases.js');

const sizes = JSON.parse(process.argv[2] ?? '{}') as GrowthSizes;
// In memory where the system has such a folder: thousands of sessions would wait for the disk.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ccm-growth-'));
let scenes = 0;

try {
  const findings: GrowthFindings = {
    events: await growthOf(eventsOf, sizes.events),
    waits: await growthOf(waitsOf, sizes.waits),
    sessions: await growthOf(sessionsOf, sizes.sessions),
    poll: await growthOf(pollOf, sizes.sessions),
    records: await growthOf(recordsOf, sizes.records),
    messages: await growthOf(allPagesOf, sizes.messages),
    newest: await growthOf(newestPageOf, sizes.messages),
  };
  report(findings);
} finally {
  rmSync(root, { recursive: true, force: true });
}

type Case = typeof eventsOf;

async function growthOf(prepare: Case, count: number): Promise<Growth> {
  const measure = async (number: number): Promise<number> => {
    const { act, end } = await prepare(join(root, String((scenes += 1))), number);
    const counted = await work.count(act);
    await end();
    return counted;
  };
  // So that one-time work is in neither of them.
  await measure(10);
  return { count, few: await measure(count), many: await measure(10 * count) };
}
