import { describe, expect, it } from 'vitest';
import type { TurnReport } from '../../../src/core/session/turn-result.js';
import { AppError } from '../../../src/core/errors.js';
import {
  budgetSpent,
  demandOutput,
  judge,
  startFailure,
  stopped,
  toEvent,
  undelivered,
} from '../../../src/session/report/reports.js';
import { plainReport } from '../../kit/fake-backend.js';
import { plainOptions } from '../../kit/records.js';

const interrupted: TurnReport = { ...plainReport, outcome: 'interrupted', result: 'Interrupted.' };
const failed: TurnReport = { ...plainReport, outcome: 'failed', errorSubtype: 'other', result: 'oops' };

describe('judging a result', () => {
  it('does not change it if nobody stopped the turn', () => {
    expect(judge(failed, undefined)).toBe(failed);
  });

  it('keeps the result of a turn that completed before it could be stopped', () => {
    expect(judge(plainReport, 'time_limit')).toBe(plainReport);
  });

  it('reports an interruption caused by a time limit as the time limit', () => {
    expect(judge(interrupted, 'time_limit')).toEqual({
      ...interrupted,
      outcome: 'failed',
      errorSubtype: 'time_limit',
      result: 'The turn was stopped because it reached its time limit.',
    });
  });

  it('reports a failure caused by an interrupt as an interruption', () => {
    expect(judge(failed, 'interrupt')).toEqual({ ...plainReport, outcome: 'interrupted', result: 'oops' });
  });
});

describe('a completed turn of a session with a schema', () => {
  const options = { ...plainOptions, outputFormat: { type: 'json_schema' as const, schema: {} } };

  it('fails without structured output', () => {
    expect(demandOutput({ ...plainReport, result: 'Many.' }, options)).toEqual({
      ...plainReport,
      outcome: 'failed',
      errorSubtype: 'structured_output',
      result: 'The answer has no structured output, so it does not match the requested schema. Many.',
    });
  });

  it('stays as it is with structured output', () => {
    const report = { ...plainReport, structuredOutput: { count: 3 } };

    expect(demandOutput(report, options)).toBe(report);
  });
});

describe('a process that exits without a result', () => {
  it('is reported as crashed, with the end of its error stream', () => {
    const exit = { reason: 'Claude Code exited with code 1', stderrTail: 'boom', neverStarted: false };

    expect(stopped(undefined, exit)).toEqual({
      durationMs: 0,
      numTurns: 0,
      costUsd: 0,
      outcome: 'failed',
      errorSubtype: 'crashed',
      result: 'Claude Code exited with code 1 before the turn ended: boom',
    });
  });

  it('is reported as not started if it never started', () => {
    const exit = { reason: 'spawn claude ENOENT', stderrTail: '', neverStarted: true };

    expect(stopped(undefined, exit)).toMatchObject({
      result: 'spawn claude ENOENT.',
      refusal: { reason: 'claude_not_started' },
    });
  });

  it('is a mistake of the caller if Claude Code refuses its schema', () => {
    const stderrTail = 'Error: --json-schema is not a valid JSON Schema: data/minimum must be number';

    expect(
      startFailure({ reason: 'Claude Code exited with code 1', stderrTail, neverStarted: false }),
    ).toEqual(
      new AppError('schema_invalid', { problem: 'schema is not valid: data/minimum must be number' }),
    );
  });

  it.each([
    ['interrupt', 'interrupted', undefined, 'Interrupted.'],
    ['cancel', 'interrupted', undefined, 'Cancelled.'],
    ['shutdown', 'failed', 'server_restarted', 'The server shut down before this turn ended.'],
    ['time_limit', 'failed', 'time_limit', 'The turn was stopped because it reached its time limit.'],
  ] as const)('was stopped by %s', (reason, outcome, errorSubtype, result) => {
    const report = stopped(reason, undefined);

    expect(report).toMatchObject({ outcome, result });
    expect(report.errorSubtype).toBe(errorSubtype);
  });
});

describe('the event at the end of a turn', () => {
  it('is an error for a crash and a result for everything else', () => {
    expect(toEvent({ ...failed, errorSubtype: 'crashed' })).toEqual({
      type: 'error',
      errorSubtype: 'crashed',
      text: 'oops',
    });
    expect(toEvent(failed)).toEqual({
      type: 'result',
      outcome: 'failed',
      errorSubtype: 'other',
      text: 'oops',
    });
    expect(toEvent(plainReport)).toEqual({ type: 'result', outcome: 'completed', text: 'done' });
  });

  it('contains at most a thousand characters of the text', () => {
    const event = toEvent({ ...plainReport, result: 'x'.repeat(9_000) });

    expect(event.type === 'result' && event.text.length).toBe(1_000);
  });
});

describe('a turn without budget', () => {
  it.each([
    ['session', false, undefined],
    ['session', true, 'budget_reserved'],
    ['day', false, 'day_budget_spent'],
    ['day', true, 'budget_reserved'],
  ] as const)(
    'has its own reason unless the caller can raise it: %s, reserved %s',
    (whose, isHeld, reason) => {
      const report = budgetSpent({ ...plainOptions, maxBudgetUsd: 5 }, { whose, isHeld });

      expect(report).toMatchObject({ outcome: 'failed', errorSubtype: 'max_budget' });
      expect(report.refusal?.reason).toBe(reason);
    },
  );
});

describe('a prompt that could not be delivered', () => {
  it.each([
    [
      'not_signed_in',
      new AppError('not_signed_in', { executable: '/claude' }),
      'Claude Code is not signed in.',
    ],
    ['crashed', new AppError('conversation_lost'), 'the conversation of this session is not on disk.'],
  ] as const)('fails as %s, with the refusal', (errorSubtype, refusal, result) => {
    expect(undelivered(refusal, undefined)).toMatchObject({
      outcome: 'failed',
      errorSubtype,
      refusal,
      result,
    });
  });
});
