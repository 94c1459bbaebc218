import { describe, expect, it } from 'vitest';
import { idleScene, reply, startedScene, statusTexts, untilStatus } from './session-scene.js';

const step = { type: 'tool_use', toolUseId: 't2', toolName: 'Bash', summary: '', agent: 't1' } as const;
const words = /limit of model calls, including those of subagents/;

describe('a prompt that has used up its model calls', () => {
  it('is interrupted once, and its result says why', async () => {
    const { session, process } = await startedScene({ maxModelCalls: 2 });
    process.answer('main');
    expect(process.interrupts).toBe(0);

    process.answer('sub');
    process.event({ ...step });
    process.answer('another');
    expect(process.interrupts).toBe(1);
    process.result({ outcome: 'interrupted' });

    expect(session.view.lastResult).toMatchObject({
      isError: true,
      errorSubtype: 'max_turns',
      result: expect.stringMatching(words),
      refusal: { reason: 'model_calls_spent' },
    });
  });

  it('leaves the next prompt all of its own', async () => {
    const { session, process } = await idleScene({ maxModelCalls: 2 });
    process.answer('a');
    process.answer('b');
    await reply(session, 'second');
    await process.prompt(1);

    process.answer('c');
    process.answer('d');

    expect(process.interrupts).toBe(0);
  });

  it('cannot continue in the background: the process is stopped', async () => {
    const { session, process } = await idleScene({ maxModelCalls: 1 });
    process.answer('a');

    process.answer('b');
    await process.prompt(0);

    expect(process.isStopping).toBe(true);
    expect(statusTexts(session)).toEqual([expect.stringMatching(words)]);
  });

  it('cannot continue in a turn that Claude Code begins by itself', async () => {
    const { session, process } = await idleScene({ maxModelCalls: 1 });
    process.answer('a');
    process.activity('running');

    process.answer('b');
    await untilStatus(session, 'error');

    expect(process.isStopping).toBe(true);
    expect(session.view.lastResult).toMatchObject({ errorSubtype: 'max_turns', startedBy: 'claude_code' });
  });
});
