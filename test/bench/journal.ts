/** What it costs to keep a turn on disk: the time that callers wait for it, and the bytes that are written. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.js';
import type { SessionId } from '../../src/core/ids.js';
import type { SessionRecord } from '../../src/state/record.js';
import { openState } from '../kit/state.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { describeTimes, minimum, timed } from './timing.js';
import type { EventBody } from '../../src/core/session/events.js';
import { EventLog } from '../../src/events/event-log.js';

const ROUNDS = 20;
/** Each is a model response with a tool call and its result. */
const STEPS = 8;

type State = Awaited<ReturnType<typeof openState>>;

export const journal = defineRow({
  name: 'journal',
  budget: {
    time: { what: 'time that the journal adds to a turn', max: 0.02, unit: 's' },
    bytes: { what: 'bytes that the journal and the events of a turn take', max: 8_000, unit: 'bytes' },
  },
  measure: () =>
    withStage(async ({ sandbox: { stateDir, project } }) => {
      const state = await openState({ stateDir, clock: systemClock });
      const sessionId = randomUUID() as SessionId;
      const times: number[] = [];
      for (let turn = 1; turn <= ROUNDS; turn += 1) {
        const before = idleRecord(sessionId, project, turn);
        times.push(await timed(() => runTurn(state, before)));
      }
      const sizeOf = (...names: string[]): number =>
        statSync(join(stateDir, 'sessions', ...names)).size / ROUNDS;
      await state.events.close();
      const [record, events] = [sizeOf(`${sessionId}.jsonl`), sizeOf('events', `${sessionId}.jsonl`)];
      return {
        values: { time: minimum(times) / 1_000, bytes: Math.round(record + events) },
        detail:
          `per turn: ${describeTimes(times)}, with 4 waits for the disk; ` +
          `journal ${record.toFixed(0)} bytes, ${STEPS * 2} events ${events.toFixed(0)} bytes`,
      };
    }),
});

/** The saves of a turn that asks once, as the session layer makes them. */
async function runTurn({ records, events, server }: State, before: SessionRecord): Promise<void> {
  const { sessionId, turn } = before;
  const openTurn = { turn, startedAt: Date.now(), prompts: ['Find out why the build fails. '.repeat(10)] };
  const running: SessionRecord = { ...before, status: 'running', openTurn, server, openCostUsd: 0 };
  const log = new EventLog({ maxEvents: 1_000, maxBytes: 2 ** 21 }, undefined, {
    head: (turn - 1) * STEPS * 2,
    events: [],
  });
  const keep = ({ at, ...body }: EventBody & { readonly at: number }): void =>
    events.keep(sessionId, log, log.append(body, at, turn).seq);
  // Before Claude Code sees the prompt.
  await records.save(running);
  for (let step = 1; step <= STEPS; step += 1) {
    const cursor = ((turn - 1) * STEPS + step) * 2;
    const [at, toolUseId] = [Date.now(), `toolu_${cursor}`];
    const summary = 'npm run build';
    keep({
      type: 'tool_use',
      toolUseId,
      toolName: 'Bash',
      summary,
      at,
    });
    void records.save({ ...running, cursor: cursor - 1, openCostUsd: step / 100 });
    keep({
      type: 'tool_result',
      toolUseId,
      isError: false,
      text: 'ok',
      at,
    });
    void records.save({ ...running, cursor, openCostUsd: step / 100 + 0.05 });
  }
  const request = { requestId: 'req_1', summary: 'Bash: npm run build' };
  // The answer that shows the request, and the answer to it.
  await records.save({ ...running, status: 'waiting', requests: [request] });
  const settled = [{ requestId: 'req_1', decision: 'allow', answeredBy: 'caller' }];
  await records.save({ ...running, settled });
  const totals = { turns: turn * STEPS, costUsd: turn / 10 };
  void records.save({ ...before, settled, totals, outcome: 'completed' }, { costUsd: 0.1, turns: STEPS });
  await Promise.all([records.flush(), events.flush()]);
}

function idleRecord(sessionId: SessionId, cwd: string, turn: number): SessionRecord {
  return {
    sessionId,
    claudeSessionId: sessionId,
    createdAt: 1,
    updatedAt: Date.now(),
    status: 'idle',
    turn,
    cursor: turn * STEPS * 2,
    totals: { turns: turn * STEPS, costUsd: turn / 10 },
    lastResult: {
      result: `The build fails because of a missing file. ${'More words. '.repeat(40)}`,
      isError: false,
      outcome: 'completed',
      turn,
      durationMs: 10_000 + turn,
      numTurns: STEPS,
      totalCostUsd: 0.1,
      sessionTotalTurns: turn * STEPS,
      sessionTotalCostUsd: turn / 10,
    },
    options: {
      cwd,
      permissionMode: 'default',
      settingSources: [],
      projectSettings: 'as requested',
      permissionRequestTimeoutMs: 0,
      sessionInitTimeoutMs: 0,
      persistSession: true,
      notes: [],
    },
  };
}
