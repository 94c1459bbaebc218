import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBrokerScene, type Asked } from './broker-scene.js';

type Action =
  | { readonly type: 'answer' | 'abort'; readonly index: number }
  | { readonly type: 'withdrawAll'; readonly sessionId: string }
  | { readonly type: 'advance'; readonly ms: number };

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constantFrom('answer' as const, 'abort' as const), index: fc.nat(5) }),
  fc.record({ type: fc.constant('withdrawAll' as const), sessionId: fc.constantFrom('s1', 's2') }),
  fc.record({ type: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 40 }) }),
);
const anyQuestions = fc.array(
  fc.record({
    sessionId: fc.constantFrom('s1', 's2'),
    timeoutMs: fc.constantFrom(0, 10, 20, 50),
  }),
  { minLength: 1, maxLength: 6 },
);

it('settles every request exactly once, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(anyQuestions, fc.array(anyAction, { maxLength: 25 }), async (questions, actions) => {
      const scene = createBrokerScene();
      const asked = questions.map((question) => scene.ask(question));

      for (const action of actions) perform(action, asked, scene);
      for (const sessionId of ['s1', 's2']) scene.broker.withdrawAll(sessionId, 'shutdown');

      const answers = await Promise.all(asked.map(({ answer }) => answer));
      expect(asked.map(({ settled }) => settled.map((one) => one.settled.answer))).toEqual(
        answers.map((answer) => [answer]),
      );
      expect(scene.broker.openFor('s1')).toEqual([]);
      expect(scene.broker.openFor('s2')).toEqual([]);
      expect(scene.clock.pendingTimers).toBe(0);
    }),
  );
});

it('reports other open requests exactly when there are some', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('s1', 's2'), { minLength: 1, maxLength: 6 }), (sessionIds) => {
      const scene = createBrokerScene();
      const asked = sessionIds.map((sessionId) => scene.ask({ sessionId }));

      for (const { requestId } of asked) scene.broker.answer(requestId, { decision: 'allow' }, 'caller');

      const othersOpen = asked.map(({ settled }) => settled[0]?.othersOpen);
      expect(othersOpen).toEqual(sessionIds.map((id, index) => sessionIds.slice(index + 1).includes(id)));
    }),
  );
});

function perform(
  action: Action,
  asked: readonly Asked[],
  { broker, clock }: ReturnType<typeof createBrokerScene>,
): void {
  if (action.type === 'advance') return clock.advance(action.ms);
  if (action.type === 'withdrawAll') return broker.withdrawAll(action.sessionId, 'interrupt');
  const target = asked[action.index];
  if (target === undefined) return;
  if (action.type === 'abort') return target.abort();
  const wasOpen = target.settled.length === 0;
  const answer = (): void => broker.answer(target.requestId, { decision: 'allow' }, 'caller');
  if (wasOpen) answer();
  else expect(answer).toThrow(/is already settled \(decision: (allow|deny), answered by: |was withdrawn$/);
}
