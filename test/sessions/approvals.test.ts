import { expect, it } from 'vitest';
import { callerOf } from '../../src/page/people.js';
import { plainCaller } from '../kit/callers.js';
import { FakeBackend } from '../kit/fake-backend.js';
import { createManagerScene, startIn } from './manager-scene.js';

it('takes the narrowest standing of those who have prompted a session, and of no other caller', async () => {
  const { approvals } = (await createManagerScene()).manager;
  const script = { ...plainCaller, canAskPerson: false };
  const desktop = { ...plainCaller, clientId: 'desktop', canAskPerson: true };
  const reader = { ...script, clientId: 'reader', mayAnswer: false };

  approvals.notePrompt('one', desktop);
  approvals.notePrompt('one', script);
  approvals.notePrompt('fork', script, 'one');
  approvals.notePrompt('other', script);
  approvals.notePrompt('other', reader);
  approvals.mayApprove(script);

  const none = { canAskPerson: false, hasPerson: false, lacksApproveScope: false };
  expect(['one', 'fork', 'other', 'unknown'].map((id) => approvals.standingIn(id))).toEqual([
    { ...none, canAskPerson: true },
    { ...none, canAskPerson: true },
    { ...none, lacksApproveScope: true },
    none,
  ]);
});

it('takes the narrowest standing of a client that shows forms on only one of its connections, too', async () => {
  const { approvals } = (await createManagerScene()).manager;

  for (const canAskPerson of [true, false]) approvals.notePrompt('one', { ...plainCaller, canAskPerson });

  expect(approvals.standingIn('one')).toMatchObject({ canAskPerson: true });
});

it('takes a prompt on the page for a sign that a person is there, for every client', async () => {
  const { approvals } = (await createManagerScene()).manager;
  const before = approvals.mayApprove(plainCaller);

  approvals.notePrompt('one', callerOf({ deviceId: 'd1', device: 'Phone', principal: 'me' }));

  expect([before, approvals.mayApprove(plainCaller)]).toEqual([true, false]);
});

/** A session that waits for the answer to a request. */
async function startAsking() {
  const backend = new FakeBackend();
  const scene = await createManagerScene({ backend });
  const { session, process } = await startIn({ ...scene, backend }, {});
  void process.ask();
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');
  const { approvals } = scene.manager;
  return { session, process, clock: scene.clock, request, approvals };
}

it.each(['allow', 'deny'] as const)('refuses to %s for a token that may not answer', async (decision) => {
  const { session, request, approvals } = await startAsking();
  const answerAs = (mayAnswer: boolean) =>
    approvals.answer(session.view, request, { decision }, { ...plainCaller, mayAnswer });

  await expect(answerAs(false)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
    reason: 'approve_scope_missing',
  });
  expect(session.view.openInputs).toEqual([request]);
  await expect(answerAs(true)).resolves.toBeUndefined();
});

it('refuses the reply to a form from a token that may not answer', async () => {
  const { session, request, approvals } = await startAsking();
  const approver = { ...plainCaller, canAskPerson: true };
  const handed = approvals.handOver(request, approver);
  const reply = { action: 'accept', content: { decision: 'allow' } } as const;

  expect(() =>
    approvals.takeBack(request.requestId, { ...approver, mayAnswer: false }, reply, handed?.askedAt ?? 0),
  ).toThrow(expect.objectContaining({ reason: 'approve_scope_missing' }));
  expect(session.view.openInputs).toEqual([request]);
});

it.each([
  ['an edited input', { updatedInput: { command: 'touch b.txt' } }],
  ['a rule', { updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }] }],
])('refuses an approval with %s if a person answers a form before it is checked', async (_what, changes) => {
  const { session, process, clock, approvals } = await startAsking();
  void process.ask({ toolUseId: 'toolu_2' });
  const [request, other] = session.view.openInputs;
  if (request === undefined || other === undefined) throw new Error('two requests must be open');
  const approver = { ...plainCaller, canAskPerson: true };
  const handed = approvals.handOver(other, approver);
  clock.advance(5_000);

  const answer = approvals.answer(session.view, request, { decision: 'allow', ...changes }, plainCaller);
  const reply = { action: 'accept', content: { decision: 'deny' } } as const;
  approvals.takeBack(other.requestId, approver, reply, handed?.askedAt ?? 0);

  await expect(answer).rejects.toMatchObject({ reason: 'approval_needs_person' });
  expect(session.view.openInputs).toEqual([request]);
});

it('remembers a person for the client that showed the form, not for all clients of its principal', async () => {
  const { request, approvals, clock } = await startAsking();
  const desktop = { ...plainCaller, canAskPerson: true, login: 'laptop', client: 'desktop 1.0' };
  const others = [
    { ...desktop, login: 'ci' },
    { ...desktop, client: 'script 1.0' },
  ];
  const hasPerson = (): boolean[] => [desktop, ...others].map((one) => approvals.standingOf(one).hasPerson);
  const before = hasPerson();
  const forms = [desktop, ...others].map((one) => approvals.handOver(request, one));
  clock.advance(2_000);

  approvals.takeBack(
    request.requestId,
    desktop,
    { action: 'accept', content: { decision: 'allow' } },
    forms[0]?.askedAt ?? 0,
  );

  expect(forms.every((form) => form !== undefined)).toBe(true);
  expect([before, hasPerson()]).toEqual([
    [false, false, false],
    [true, false, false],
  ]);
});

it('a client that dismisses forms by itself does not make others of its principal unattended', async () => {
  const { request, approvals } = await startAsking();
  const script = { ...plainCaller, canAskPerson: true, login: 'ci', client: 'script 1.0' };
  const desktop = { ...script, login: 'laptop' };
  const { askedAt = 0 } = approvals.handOver(request, script) ?? {};

  approvals.takeBack(request.requestId, script, { action: 'cancel' }, askedAt);

  expect([script, desktop].map((one) => approvals.isUnattended(one))).toEqual([true, false]);
});

it.each([
  ['allows it for the session', { decision: 'allow_for_session' }, 'grant_needs_person'],
  [
    'adds a rule',
    { decision: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }] },
    'pre_approval_refused',
  ],
  [
    'switches the mode',
    { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] },
    'mode_auto_approving',
  ],
] as const)(
  'refuses an approval of a caller without forms that %s in a session of a client with forms',
  async (_what, given, reason) => {
    const { session, request, approvals } = await startAsking();
    approvals.notePrompt(session.id, { ...plainCaller, clientId: 'c2', canAskPerson: true });

    await expect(approvals.answer(session.view, request, given, plainCaller)).rejects.toMatchObject({
      reason,
    });
    const stillOpen = session.view.openInputs;
    await approvals.answer(session.view, request, { decision: 'allow' }, plainCaller);

    expect([stillOpen, session.view.openInputs]).toEqual([[request], []]);
  },
);
