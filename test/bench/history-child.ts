/** Fills one session with few events and one with many, then measures the size and poll time of both. */
import { faultyCli } from '../kit/faulty-cli-env.js';
import { report } from './child.js';
import { composeInProcess, runTurn, type InProcess } from './in-process.js';
import { interleave, minimum } from './timing.js';

export interface HistoryFindings {
  readonly fewEvents: number;
  readonly manyEvents: number;
  readonly grownBytes: number;
  /** Microseconds per poll. */
  readonly fewPollUs: number;
  readonly manyPollUs: number;
}

const FEW = 100;
const MANY = 100_000;
/** The number of new events per poll. */
const NEWS = 10;
const POLLS = 200;
const ROUNDS = 40;

const [cwd = process.cwd()] = process.argv.slice(2);
const few = await fill(FEW);
// Repeats the small session first, so that one-time loading and compilation do not count as growth.
await fill(FEW);
const before = heapBytes();
const many = await fill(MANY);
const grownBytes = heapBytes() - before;

const cases = { few: () => pollTime(few), many: () => pollTime(many) };
await interleave(5, cases);
const times = await interleave(ROUNDS, cases);
const findings: HistoryFindings = {
  fewEvents: few.head,
  manyEvents: many.head,
  grownBytes,
  fewPollUs: minimum(times.few),
  manyPollUs: minimum(times.many),
};
await Promise.all([few, many].map(({ sessions }) => sessions.close()));
report(findings);

interface Filled {
  readonly sessions: InProcess;
  readonly sessionId: string;
  readonly head: number;
}

async function fill(count: number): Promise<Filled> {
  const sessions = await composeInProcess({ ...process.env, ...faultyCli('flood', { count }) });
  const { sessionId, cursor } = await runTurn(sessions, 'claude_code', { prompt: 'go', cwd });
  return { sessions, sessionId, head: Number(cursor) };
}

function heapBytes(): number {
  if (gc === undefined) throw new Error('needs --expose-gc');
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function pollTime({ sessions, sessionId, head }: Filled): Promise<number> {
  const args = { sessionId, cursor: head - NEWS, waitMs: 0, include: ['events'] };
  const startedAt = performance.now();
  for (let poll = 0; poll < POLLS; poll += 1) await sessions.callText('claude_code_check', args);
  return ((performance.now() - startedAt) * 1_000) / POLLS;
}
