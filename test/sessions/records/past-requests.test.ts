import { expect, it } from 'vitest';
import type { SessionId } from '../../../src/core/ids.js';
import { PastRequests } from '../../../src/sessions/records/past-requests.js';
import type { SessionRecord } from '../../../src/state/record.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { plainRecord } from '../../kit/records.js';
import { openState } from '../../kit/state.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const id = '00000000-0000-4000-8000-000000000001' as SessionId;

const result = {
  result: 'ended',
  isError: false,
  outcome: 'interrupted',
  turn: 2,
  durationMs: 1,
  numTurns: 1,
  totalCostUsd: 0,
  sessionTotalTurns: 1,
  sessionTotalCostUsd: 0,
} as const;

const ended = [{ requestId: 'r1', decision: 'deny', answeredBy: 'shutdown' }];

it.each<[string, Partial<SessionRecord>, boolean]>([
  ['of a rewind', { settled: ended, voided: ['r1'], lastResult: { ...result, startedBy: 'rewind' } }, true],
  ['of a prompt', { settled: ended, voided: ['r1'], lastResult: result }, false],
  ['of a prompt before a rewind', { settled: ended, lastResult: { ...result, startedBy: 'rewind' } }, false],
])(
  'a request %s that ended with its server says what asks for it again',
  async (_whose, changes, wasRewind) => {
    const stateDir = temporaryFolder();
    const state = await openState({ stateDir, clock: new FakeClock(), pid: 10, alive: new Set([10]) });
    await state.records.save(plainRecord(id, { turn: 2, ...changes }));
    const bounds = { home: '', stateDir, claudeDir: '', listed: [], trusted: [], roots: [] };
    const past = new PastRequests({ ...state, folders: { bounds } });

    const error = await past.explain('r1', id);

    expect(error).toMatchObject({ reason: 'request_ended', params: { requestId: 'r1', wasRewind } });
  },
);
