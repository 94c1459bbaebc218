import { describe, expect, it } from 'vitest';
import { idleScene, reply, startedScene } from './session-scene.js';

const rule = 'Bash(touch *)';
const seed = { grants: { calls: [], rules: [rule] } };

/** A caller with a person has joined by the time that the session is prompted again. */
function joining() {
  let isJoined = false;
  return { isPersonAsked: () => isJoined, join: () => (isJoined = true) };
}

describe('a process with approvals of an earlier caller', () => {
  it('serves no prompt for which they do not count', async () => {
    const { isPersonAsked, join } = joining();
    const { session, backend, process } = await idleScene({ seed, isPersonAsked });
    join();

    await reply(session, 'second');
    const next = await backend.process(1);

    expect(process.launch.grantedRules).toEqual([rule]);
    expect(next.launch.grantedRules).toEqual([]);
    expect([process.hasExited, process.prompts.length]).toEqual([true, 1]);
  });

  it('takes no such prompt into its turn either, which another process runs later', async () => {
    const { isPersonAsked, join } = joining();
    const { session, backend, process } = await startedScene({ seed, isPersonAsked });
    join();

    await reply(session, 'second', { whenBusy: 'steer' });
    const steered = process.prompts.length;
    process.result();
    const next = await backend.process(1);

    expect(steered).toBe(1);
    expect((await next.prompt(0)).text).toBe('second');
    expect(next.launch.grantedRules).toEqual([]);
  });

  it('serves every other prompt', async () => {
    const { session, backend, process } = await idleScene({ seed, isPersonAsked: () => false });

    await reply(session, 'second');
    await process.prompt(1);

    expect(backend.processes).toHaveLength(1);
  });
});

describe('a process whose caller has allowed something for the session', () => {
  it.each([
    [
      'with a rule that Claude suggested',
      { decision: 'allow', forSession: true },
      { suggestedRules: [rule] },
    ],
    ['with a rule of its own', { decision: 'allow', updates: [{ type: 'addRules', rules: [rule] }] }, {}],
  ] as const)('%s serves no prompt for which that does not count', async (_how, answer, ask) => {
    const { isPersonAsked, join } = joining();
    const { session, backend, broker, process } = await startedScene({ isPersonAsked });
    const asked = process.ask({ ...ask });
    broker.answer(session.view.openInputs[0]?.requestId ?? '', answer, 'caller');
    const given = await asked;
    process.result();
    join();

    await reply(session, 'second');
    const next = await backend.process(1);

    expect(given).toEqual(answer);
    expect([process.hasExited, process.prompts.length]).toEqual([true, 1]);
    expect(next.launch.grantedRules).toEqual([]);
  });

  it('asks again about the same call', async () => {
    const { isPersonAsked, join } = joining();
    const { session, broker, process } = await startedScene({ isPersonAsked });
    const asked = process.ask();
    broker.answer(
      session.view.openInputs[0]?.requestId ?? '',
      { decision: 'allow', forSession: true },
      'caller',
    );
    await asked;
    const before = await process.ask({ toolUseId: 'toolu_2' });
    join();

    void process.ask({ toolUseId: 'toolu_3' });

    expect(before).toEqual({ decision: 'allow' });
    expect(session.view.openInputs).toMatchObject([{ toolUseId: 'toolu_3' }]);
  });

  it('serves every other prompt', async () => {
    const { session, backend, broker, process } = await startedScene();
    const asked = process.ask({ suggestedRules: [rule] });
    broker.answer(
      session.view.openInputs[0]?.requestId ?? '',
      { decision: 'allow', forSession: true },
      'caller',
    );
    await asked;
    process.result();

    await reply(session, 'second');
    await process.prompt(1);

    expect(backend.processes).toHaveLength(1);
  });
});
