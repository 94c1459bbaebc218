import { describe, expect, it } from 'vitest';
import type { TurnReport } from '../../../src/core/session/turn-result.js';
import { judge, stopped, toEvent } from '../../../src/session/report/reports.js';
import { plainReport } from '../../kit/fake-backend.js';

const interrupted: TurnReport = { ...plainReport, outcome: 'interrupted', result: 'Interrupted.' };
const failed: TurnReport = { ...plainReport, outcome: 'failed', errorSubtype: 'other', result: 'oops' };

describe('judging a result', () => {
  it('leaves it alone when nobody stopped the turn', () => {
    expect(judge(failed, undefined)).toBe(failed);
  });

  it('lets a turn that was done before it could be stopped stand', () => {
    expect(judge(plainReport, 'time_limit')).toBe(plainReport);
  });

  it('makes the interruption that a time limit caused a time limit', () => {
    expect(judge(interrupted, 'time_limit')).toEqual({
      ...interrupted,
      outcome: 'failed',
      errorSubtype: 'time_limit',
      result: 'The turn was stopped because it reached its time limit.',
    });
  });

  it('makes a failure that an interrupt caused an interruption', () => {
    expect(judge(failed, 'interrupt')).toEqual({ ...plainReport, outcome: 'interrupted', result: 'oops' });
  });
});

describe('a process that ends without a result', () => {
  it('has crashed, and its last words are told', () => {
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

  it('never was one, and how to get one is told', () => {
    const exit = { reason: 'spawn claude ENOENT', stderrTail: '', neverStarted: true };

    expect(stopped(undefined, exit)).toMatchObject({
      result: 'spawn claude ENOENT.',
      refusal: { reason: 'claude_not_started' },
    });
  });

  it.each([
    ['interrupt', 'interrupted', undefined, 'Interrupted.'],
    ['cancel', 'interrupted', undefined, 'Cancelled.'],
    ['shutdown', 'interrupted', undefined, 'The server shut down.'],
    ['time_limit', 'failed', 'time_limit', 'The turn was stopped because it reached its time limit.'],
  ] as const)('was stopped by %s', (reason, outcome, errorSubtype, result) => {
    const report = stopped(reason, undefined);

    expect(report).toMatchObject({ outcome, result });
    expect(report.errorSubtype).toBe(errorSubtype);
  });
});

describe('the event of an end', () => {
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

  it('holds no more than a thousand characters of the text', () => {
    const event = toEvent({ ...plainReport, result: 'x'.repeat(9_000) });

    expect(event.type === 'result' && event.text.length).toBe(1_000);
  });
});
