import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../../../src/core/tool-context.js';
import { FormRounds, takeBackForm } from '../../../src/toolsets/shared/form-rounds.js';
import { plainCaller, toolContext } from '../../kit/callers.js';
import { createManagerScene, startIn } from '../../sessions/manager-scene.js';

const caller = { ...plainCaller, canAskPerson: true };
const at = { cursor: 7, deadline: 9_000 };

/** One open request, and the calls of a client about it. */
async function createRoundsScene() {
  const scene = await createManagerScene();
  const { session, process } = await startIn(scene);
  const answer = process.ask();
  const [request] = session.openInputs;
  if (request === undefined) throw new Error('nothing is open');
  const { approvals } = scene.manager;
  const rounds = (context: Partial<ToolContext> = {}): FormRounds =>
    new FormRounds(approvals, toolContext({ caller, canReturnForm: true, ...context }));
  return { ...scene, approvals, answer, request, rounds };
}

/** The call that brings the reply to the form of this round. */
function after(round: number): Pick<ToolContext, 'returned'> {
  const state = { sessionId: 's', requestId: 'r', cursor: 0, deadline: 0, round, askedAt: 0 };
  return { returned: { state, reply: { action: 'cancel' } } };
}

describe('form rounds', () => {
  it('hand a request over once, with what the next call needs to resume', async () => {
    const { rounds, request } = await createRoundsScene();

    const first = rounds().ask(request, at);
    const second = rounds().ask(request, at);

    const { sessionId, requestId } = request;
    expect(first?.state).toEqual({ sessionId, requestId, ...at, round: 1, askedAt: expect.any(Number) });
    expect(first?.form.fields).toHaveProperty('decision');
    expect(second).toBeUndefined();
  });

  it.each([
    ['the protocol has no such forms', { canReturnForm: false }],
    ['the client shows no forms', { caller: plainCaller }],
  ])('ask nobody where %s', async (_, context) => {
    const { rounds, request } = await createRoundsScene();

    expect(rounds(context).canAsk(request)).toBe(false);
    expect(rounds(context).ask(request, at)).toBeUndefined();
    expect(rounds().canAsk(request)).toBe(true);
  });

  it('end after the eighth', async () => {
    const { rounds, request } = await createRoundsScene();

    const eighth = rounds(after(7));
    const ninth = rounds(after(8));

    expect([ninth.isExhausted, ninth.canAsk(request), ninth.ask(request, at)]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect([eighth.isExhausted, eighth.ask(request, at)?.state.round]).toEqual([false, 8]);
  });

  it('are not exhausted where no form could be returned at all', async () => {
    const { rounds } = await createRoundsScene();

    expect(rounds({ ...after(8), canReturnForm: false }).isExhausted).toBe(false);
  });

  it('settle the request with the reply that comes back', async () => {
    const { rounds, request, approvals, answer, clock } = await createRoundsScene();
    const asked = rounds().ask(request, at);
    if (asked === undefined) throw new Error('there is no form');

    clock.advance(5_000);
    const reply = { action: 'accept', content: { decision: 'allow' } } as const;
    takeBackForm({ state: asked.state, reply }, approvals, caller);

    expect(await answer).toMatchObject({ decision: 'allow' });
  });
});
