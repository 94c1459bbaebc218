import { describe, expect, it } from 'vitest';
import { ModelCalls } from '../../../src/session/turn/model-calls.js';

const use = (toolName: string, toolUseId: string, agent?: string) => ({
  type: 'tool_use' as const,
  toolName,
  toolUseId,
  summary: '',
  ...(agent === undefined ? {} : { agent }),
});

describe('the model calls of a prompt', () => {
  it('are left to Claude Code while there is no subagent', () => {
    const calls = new ModelCalls(2);

    const verdicts = ['m1', 'm2'].flatMap((id) => [calls.note(id), calls.noteTool(use('Bash', `t-${id}`))]);

    expect(verdicts).toEqual([false, false, false, false]);
  });

  it('count once for all the parts of a response', () => {
    const calls = new ModelCalls(1);

    expect([calls.note('m1'), calls.note('m1'), calls.note('m1')]).toEqual([false, false, false]);
  });

  it('are spent when a subagent wants another one than the last', () => {
    const calls = new ModelCalls(4);
    calls.note('main');
    expect(calls.noteTool(use('Agent', 't1'))).toBe(false);
    calls.note('sub1');
    expect(calls.noteTool(use('Bash', 't2', 't1'))).toBe(false);
    calls.note('sub2');

    expect(calls.noteTool(use('Bash', 't3', 't1'))).toBe(true);
  });

  it('include the last response of each subagent, which is not reported', () => {
    const calls = new ModelCalls(3);
    calls.note('main');
    calls.noteTool(use('Agent', 't1'));

    expect(calls.noteTool(use('Task', 't2'))).toBe(true);
  });

  it('of parallel subagents are spent with the first response too many', () => {
    const calls = new ModelCalls(2);

    expect(['m1', 'm2', 'm3'].map((id) => calls.note(id))).toEqual([false, false, true]);
  });

  it('begin anew with the next prompt', () => {
    const calls = new ModelCalls(1);
    calls.note('m1');
    calls.noteTool(use('Agent', 't1'));

    calls.begin();

    expect([calls.note('m2'), calls.noteTool(use('Bash', 't2'))]).toEqual([false, false]);
  });

  it('are unlimited without a limit', () => {
    const calls = new ModelCalls(undefined);

    expect([calls.note('m1'), calls.note('m2'), calls.noteTool(use('Agent', 't1'))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
