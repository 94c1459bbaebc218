import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FakeProcess } from '../kit/fake-backend.js';
import { createScene, reply, startSession, type Scene } from './session-scene.js';

const selfStarted = 'of work that Claude Code began itself';

type Act = (scene: Scene) => unknown;

/** The live process, if any. */
function live({ backend }: Scene): FakeProcess | undefined {
  return backend.processes.findLast(({ hasExited }) => !hasExited);
}

/** Everything that callers, Claude Code and time can do to a session. A refusal is a valid outcome. */
const acts = {
  reply: ({ session }) => reply(session, 'more').catch(() => undefined),
  queue: ({ session }) => reply(session, 'later', { whenBusy: 'queue' }).catch(() => undefined),
  steer: ({ session }) => reply(session, 'also', { whenBusy: 'steer' }).catch(() => undefined),
  changeOption: ({ session }) => reply(session, 'more', { maxTurns: 7 }).catch(() => undefined),
  interrupt: ({ session }) => void session.interrupt(),
  result: (scene) => live(scene)?.result(),
  resultOfAll: (scene) => {
    const process = live(scene);
    process?.result({}, process.prompts);
  },
  resultOfNothing: (scene) => live(scene)?.result({ outcome: 'failed', errorSubtype: 'other' }, []),
  interrupted: (scene) => live(scene)?.result({ outcome: 'interrupted' }),
  unsolicited: (scene) => live(scene)?.unsolicitedResult({ result: selfStarted }),
  queued: (scene) => live(scene)?.progress('queued'),
  started: (scene) => live(scene)?.progress('started'),
  completed: (scene) => live(scene)?.progress('completed'),
  answer: (scene) => live(scene)?.answer(),
  running: (scene) => live(scene)?.activity('running'),
  idle: (scene) => live(scene)?.activity('idle'),
  task: (scene) => live(scene)?.signal({ type: 'tasks', tasks: [{ taskId: 't', text: 'x' }] }),
  noTask: (scene) => live(scene)?.signal({ type: 'tasks', tasks: [] }),
  ask: (scene) => void live(scene)?.ask(),
  approve: ({ session, broker }) => {
    const [input] = session.view.openInputs;
    if (input !== undefined) broker.answer(input.requestId, { decision: 'allow' }, 'caller');
  },
  exit: (scene) => live(scene)?.exit({ reason: 'Claude Code was terminated by SIGKILL' }),
  aSecond: ({ clock }) => clock.advance(1_000),
  aMinute: ({ clock }) => clock.advance(61_000),
  anHour: ({ clock }) => clock.advance(3_600_000),
} satisfies Record<string, Act>;

const anyAct = fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]), 'cancel' as const);

async function perform(name: keyof typeof acts | 'cancel', scene: Scene): Promise<void> {
  const cancelled = name === 'cancel' ? scene.session.cancel() : undefined;
  if (name !== 'cancel') await acts[name](scene);
  // Other servers must let go first. A process takes until the end of the scene to exit.
  else if (live(scene) === undefined) await cancelled;
  // Completes pending deliveries and initialises new processes.
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  live(scene)?.init();
}

function checkInvariants({ session, illegalMoves }: Scene, done: readonly string[]): void {
  const { status } = session.view.state;
  const context = done.join(' ');
  expect(illegalMoves, context).toEqual([]);
  expect(session.view.openInputs.length > 0, context).toBe(status === 'waiting');
  if (session.view.isAtRest) expect(['idle', 'error', 'cancelled'], context).toContain(status);
  const { lastResult } = session.view;
  if (lastResult?.result === selfStarted) expect(lastResult.startedBy, context).toBe('claude_code');
  if (done.includes('cancel')) expect(status, context).toBe('cancelled');
}

it('keeps its invariants in any sequence of actions, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 25 }), async (names) => {
      const scene = createScene({ options: { timeoutMs: 120_000 } });
      await startSession(scene);
      const done: string[] = [];

      for (const name of names) {
        await perform(name, scene);
        done.push(name);
        checkInvariants(scene, done);
      }
      await scene.session.shutdown();

      expect(live(scene)).toBeUndefined();
      expect(['idle', 'error', 'cancelled']).toContain(scene.session.view.state.status);
      expect(scene.session.view.openInputs).toEqual([]);
      expect(scene.clock.pendingTimers).toBe(0);
    }),
    { numRuns: 60 },
  );
});
