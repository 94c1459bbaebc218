import { describe, expect, it } from 'vitest';
import type { FormReply } from '../../src/core/forms.js';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { AppError } from '../../src/core/errors.js';
import { toForm } from '../../src/inputs/form.js';
import { arrival, createPeopleScene, FakeApprover, formsOnly } from './people-scene.js';

const accepted: FormReply = { action: 'accept', content: { decision: 'allow' } };
const declined: FormReply = { action: 'decline' };
const cancelled: FormReply = { action: 'cancel' };
const question: Partial<InputAsk> = {
  kind: 'user_question',
  toolName: 'AskUserQuestion',
  input: { questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] },
};

/** A request whose form one client shows at once. */
function shownScene() {
  const approver = new FakeApprover('c1');
  const scene = createPeopleScene([approver]);
  const { request } = scene.ask();
  const reply = async (given: FormReply): Promise<void> => {
    approver.shown[0]?.reply(given);
    await arrival();
  };
  return { ...scene, approver, request, reply };
}

/** A request whose form is returned to a client as an answer. */
function handedScene() {
  const scene = createPeopleScene();
  const { request } = scene.ask();
  const askedAt = scene.clock.elapsed();
  const form = scene.people.handOver(request, 'c1', formsOnly)?.form;
  const reply = async (given: FormReply): Promise<void> =>
    scene.people.takeBack(request.requestId, { clientId: 'c1' }, given, askedAt);
  return { ...scene, form, request, askedAt, reply };
}

describe.each([
  ['shown', shownScene],
  ['returned to the client', handedScene],
])('a form that is %s', (_how, createForm) => {
  it.each<[string, number, FormReply]>([
    ['an acceptance after 0 ms', 0, accepted],
    ['an acceptance after 249 ms', 249, accepted],
    ['a decline after 249 ms', 249, declined],
    ['a decline after 250 ms', 250, declined],
    ['a decline after 999 ms', 999, declined],
    ['a cancel after 249 ms', 249, cancelled],
    ['a cancel after 30 s', 30_000, cancelled],
  ])('counts as unanswered at %s, and its request stays open', async (_what, ms, given) => {
    const { people, broker, clock, settled, request, reply } = createForm();

    clock.advance(ms);
    await reply(given);

    expect(broker.openFor('s1')).toEqual([request]);
    expect(settled).toEqual([]);
    expect([people.hasAnswered('c1'), people.isHandled('r1')]).toEqual([false, false]);
  });

  it.each<[string, number, FormReply, unknown]>([
    ['an acceptance after 250 ms', 250, accepted, { decision: 'allow' }],
    [
      'an acceptance that says deny, after 250 ms',
      250,
      { action: 'accept', content: { decision: 'deny', note: ' not now ' } },
      { decision: 'deny', message: 'A person denied this: not now', interrupt: false },
    ],
    [
      'a decline after 1000 ms',
      1_000,
      declined,
      { decision: 'deny', message: 'A person denied this.', interrupt: false },
    ],
  ])('counts as answered by a person at %s and settles the request', async (_what, ms, given, answer) => {
    const { people, clock, settled, request, reply, nobody } = createForm();

    clock.advance(ms);
    await reply(given);

    expect(settled).toEqual([
      { request, answer, decision: expect.stringMatching(/allow|deny/), answeredBy: 'elicitation' },
    ]);
    expect([people.hasAnswered('c1'), people.hasAnswered('c2')]).toEqual([true, false]);
    expect(people.isHandled('r1')).toBe(true);
    expect(nobody).toEqual([]);
  });

  it.each<[string, FormReply]>([
    ['no decision', { action: 'accept', content: {} }],
    ['an unknown decision', { action: 'accept', content: { decision: 'yes' } }],
    ['something other than text', { action: 'accept', content: { decision: ['allow'] } }],
  ])('leaves the request open if the reply has %s, and does not count as a person', async (_what, given) => {
    const { people, broker, clock, settled, request, reply } = createForm();

    clock.advance(5_000);
    await reply(given);

    expect(broker.openFor('s1')).toEqual([request]);
    expect(settled).toEqual([]);
    expect([people.hasAnswered('c1'), people.isHandled('r1')]).toEqual([false, false]);
  });

  it('settles nothing if another answer came first, and does not count as a person', async () => {
    const { people, broker, clock, settled, request, reply } = createForm();
    clock.advance(5_000);
    broker.answer('r1', { decision: 'allow' }, 'caller');

    await reply(declined);

    expect(settled).toEqual([
      { request, answer: { decision: 'allow' }, decision: 'allow', answeredBy: 'caller' },
    ]);
    expect([people.hasAnswered('c1'), people.isHandled('r1')]).toEqual([false, false]);
  });

  it.each<[string, number, FormReply, boolean]>([
    ['a cancel after 0 ms', 0, cancelled, true],
    ['a decline after 999 ms', 999, declined, true],
    ['a cancel after 1000 ms', 1_000, cancelled, false],
    ['a decline after 1000 ms', 1_000, declined, false],
    ['an acceptance after 0 ms', 0, accepted, false],
    ['an acceptance after 250 ms', 250, accepted, false],
  ])('reveals by %s whether the client runs without a person', async (_what, ms, given, isUnattended) => {
    const { people, clock, reply } = createForm();

    clock.advance(ms);
    await reply(given);

    expect([people.isUnattended('c1'), people.isUnattended('c2')]).toEqual([isUnattended, false]);
  });

  it.each([
    ['ahead', 86_400_000, 0, false],
    ['back', -86_400_000, 5_000, true],
  ])(
    'takes the time to its reply from timers while the clock jumps %s',
    async (_, jumpMs, ms, isByPerson) => {
      const { people, clock, reply } = createForm();

      clock.jump(jumpMs);
      clock.advance(ms);
      await reply(accepted);

      expect(people.hasAnswered('c1')).toBe(isByPerson);
    },
  );

  it('says whether it is shown, and how long it stays away once it is dismissed', async () => {
    const { people, clock, request, reply } = createForm();
    const shown = people.stateOf(request, 'c1');

    clock.advance(20_000);
    await reply(cancelled);

    expect(shown).toEqual({ isShown: true, shownAgainInMs: 60_000 });
    expect(people.stateOf(request, 'c1')).toEqual({ isShown: false, shownAgainInMs: 40_000 });
    expect(people.stateOf(request, 'c2')).toEqual({ isShown: false, shownAgainInMs: 0 });
  });

  it('is the only form for this client and request', () => {
    const { people, request } = createForm();

    expect(people.canHandOver(request, 'c1', formsOnly)).toBe(false);
    expect(people.handOver(request, 'c1', formsOnly)).toBeUndefined();
    expect(people.canHandOver(request, 'c2', formsOnly)).toBe(true);
  });

  it('is not shown again if nobody answered it', async () => {
    const { people, request, reply } = createForm();

    await reply(cancelled);

    expect(people.canHandOver(request, 'c1', formsOnly)).toBe(false);
    expect(people.handOver(request, 'c1', formsOnly)).toBeUndefined();
  });
});

describe('a client that dismisses forms by itself', () => {
  /** Hands a new form to the client, which replies after this time. */
  function answerNext({ people, clock, ask }: ReturnType<typeof createPeopleScene>) {
    return (reply: FormReply, ms: number): void => {
      const { request } = ask();
      const askedAt = clock.elapsed();
      people.handOver(request, 'c1', formsOnly);
      clock.advance(ms);
      people.takeBack(request.requestId, { clientId: 'c1' }, reply, askedAt);
    };
  }

  it('counts as attended again once a form takes as long as a person needs', () => {
    const scene = createPeopleScene();
    const answer = answerNext(scene);

    answer(cancelled, 0);
    const before = scene.people.isUnattended('c1');
    answer(cancelled, 3_000);

    expect([before, scene.people.isUnattended('c1')]).toEqual([true, false]);
  });

  it('does not count as unattended while another form is on its screen', async () => {
    const approver = new FakeApprover('c1');
    const { people, ask } = createPeopleScene([approver]);
    ask();
    ask();
    const [first, second] = approver.shown;

    second?.reply(cancelled);
    await arrival();
    const meanwhile = people.isUnattended('c1');
    first?.reply(cancelled);
    await arrival();

    expect([meanwhile, people.isUnattended('c1')]).toEqual([false, true]);
  });

  it('does not count as unattended while another of its connections shows the same form', async () => {
    const [person, script] = [new FakeApprover('c1'), new FakeApprover('c1')];
    const { people, clock, ask } = createPeopleScene([person, script]);
    ask();

    script.shown[0]?.reply(cancelled);
    await arrival();
    const meanwhile = people.isUnattended('c1');
    clock.advance(100);
    person.shown[0]?.reply(cancelled);
    await arrival();

    expect([meanwhile, people.isUnattended('c1')]).toEqual([false, true]);
  });

  it('counts a form that was withdrawn no longer as on its screen', async () => {
    const approver = new FakeApprover('c1');
    const { people, broker, ask } = createPeopleScene([approver]);
    const { request } = ask();
    broker.withdrawAll(request.sessionId, 'interrupt');
    ask();

    approver.shown[1]?.reply(cancelled);
    await arrival();

    expect(people.isUnattended('c1')).toBe(true);
  });

  it('never counts as unattended after a person has answered', () => {
    const scene = createPeopleScene();
    const answer = answerNext(scene);

    answer(accepted, 2_000);
    answer(cancelled, 0);
    answer(declined, 0);

    expect([scene.people.isUnattended('c1'), scene.people.hasAnswered('c1')]).toEqual([false, true]);
  });
});

describe('a form that is shown', () => {
  it('names the session and stays open as long as the request', () => {
    const { approver, request, people } = shownScene();

    expect(approver.shown).toMatchObject([
      { form: toForm(request, { session: 's1', folder: '/srv/app' }), timeoutMs: 60_000 },
    ]);
    expect(people.isHandled('r1')).toBe(true);
  });

  it('stays open for a day if the request has no deadline', () => {
    const approver = new FakeApprover('c1');
    const { ask } = createPeopleScene([approver]);

    ask({}, 0);

    expect(approver.shown).toMatchObject([{ timeoutMs: 86_400_000 }]);
  });

  it('is removed from all clients when the request is settled', async () => {
    const approvers = [new FakeApprover('c1'), new FakeApprover('c2')];
    const { broker, ask, nobody } = createPeopleScene(approvers);
    ask();
    const signals = approvers.flatMap(({ shown }) => shown.map(({ signal }) => signal));
    const abortedBefore = signals.map(({ aborted }) => aborted);

    broker.answer('r1', { decision: 'allow' }, 'caller');
    await arrival();

    expect(abortedBefore).toEqual([false, false]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(nobody).toEqual([]);
  });

  it('is removed if another person answers first', async () => {
    const [first, second] = [new FakeApprover('c1'), new FakeApprover('c2')];
    const { people, clock, ask, settled } = createPeopleScene([first, second]);
    ask();
    clock.advance(2_000);

    first.shown[0]?.reply(accepted);
    second.shown[0]?.reply(declined);
    await arrival();

    expect(settled).toMatchObject([{ answer: { decision: 'allow' }, answeredBy: 'elicitation' }]);
    expect(second.shown[0]?.signal.aborted).toBe(true);
    expect([people.hasAnswered('c1'), people.hasAnswered('c2')]).toEqual([true, false]);
  });

  it('counts as handled until the last client gives up, which is reported once', async () => {
    const [first, second] = [new FakeApprover('c1'), new FakeApprover('c2')];
    const { people, clock, ask, nobody } = createPeopleScene([first, second]);
    ask();
    clock.advance(5_000);

    first.shown[0]?.reply(cancelled);
    await arrival();
    const between = [people.isHandled('r1'), [...nobody]];
    second.shown[0]?.reply(cancelled);
    await arrival();

    expect(between).toEqual([true, []]);
    expect([people.isHandled('r1'), nobody]).toEqual([false, ['r1']]);
  });

  it('counts as unanswered if it cannot be shown, and the request stays open', async () => {
    const { approver, broker, request, nobody, logged, people } = shownScene();

    approver.shown[0]?.fail(new Error('Connection closed'));
    await arrival();

    expect(broker.openFor('s1')).toEqual([request]);
    expect([people.isHandled('r1'), nobody]).toEqual([false, ['r1']]);
    expect(logged).toEqual([
      [
        'debug',
        'a form could not be shown',
        { sessionId: 's1', requestId: 'r1', reason: 'Connection closed' },
      ],
    ]);
  });

  it('is shown to other clients even if one client fails', async () => {
    const [broken, fine] = [new FakeApprover('c1'), new FakeApprover('c2')];
    broken.show = () => Promise.reject(new Error('no such method'));
    const { clock, ask, settled, nobody } = createPeopleScene([broken, fine]);
    ask();
    clock.advance(2_000);

    fine.shown[0]?.reply(accepted);
    await arrival();

    expect(settled).toMatchObject([{ answer: { decision: 'allow' }, answeredBy: 'elicitation' }]);
    expect(nobody).toEqual([]);
  });

  it('logs an answer that does not fit, and leaves the request open', async () => {
    const approver = new FakeApprover('c1');
    const { broker, clock, people, ask, nobody, logged } = createPeopleScene([approver]);
    const { request } = ask(question);
    clock.advance(2_000);

    approver.shown[0]?.reply({ action: 'accept', content: { question_1: ['a', 'b'] } });
    await arrival();

    expect(broker.openFor('s1')).toEqual([request]);
    expect([people.hasAnswered('c1'), nobody]).toEqual([false, ['r1']]);
    expect(logged).toEqual([
      [
        'warn',
        'a form answer was rejected',
        { sessionId: 's1', requestId: 'r1', reason: 'the question "Which?" takes one answer' },
      ],
    ]);
  });
});

it('leaves a request open and notifies the caller if the approval cannot be recorded', async () => {
  const approver = new FakeApprover('c1');
  const { broker, clock, people, ask, nobody, logged } = createPeopleScene([approver], () => {
    throw new AppError('audit_unwritable', { path: '/full' });
  });
  const { request } = ask();
  clock.advance(2_000);

  approver.shown[0]?.reply({ action: 'accept', content: { decision: 'allow' } });
  await arrival();

  expect(broker.openFor('s1')).toEqual([request]);
  expect([people.isHandled('r1'), nobody]).toEqual([false, ['r1']]);
  expect(logged).toMatchObject([
    ['warn', expect.anything(), { reason: expect.stringContaining('the audit log /full cannot be written') }],
  ]);
});

describe('a form that the client receives as an answer', () => {
  it('belongs to the request, which stays news for the caller', () => {
    const { form, request, people } = handedScene();

    expect(form).toEqual(toForm(request, { session: 's1', folder: '/srv/app' }));
    expect(people.isHandled('r1')).toBe(false);
  });

  it('does not exist for a settled request', () => {
    const { broker, people, request } = handedScene();
    broker.answer('r1', { decision: 'allow' }, 'caller');

    expect(people.canHandOver(request, 'c2', formsOnly)).toBe(false);
    expect(people.handOver(request, 'c2', formsOnly)).toBeUndefined();
  });

  it('settles nothing with a second reply, even if the first was no answer', () => {
    const { people, broker, clock, request, askedAt } = handedScene();
    clock.advance(5_000);
    people.takeBack('r1', { clientId: 'c1' }, cancelled, askedAt);

    people.takeBack('r1', { clientId: 'c1' }, accepted, askedAt);

    expect(broker.openFor('s1')).toEqual([request]);
    expect(people.hasAnswered('c1')).toBe(false);
  });

  it('settles nothing with a reply from a client that never received it', () => {
    const { people, broker, clock, request, askedAt } = handedScene();
    clock.advance(5_000);

    people.takeBack('r1', { clientId: 'c2' }, accepted, askedAt);
    people.takeBack('r99', { clientId: 'c1' }, accepted, askedAt);

    expect(broker.openFor('s1')).toEqual([request]);
    expect([people.hasAnswered('c1'), people.hasAnswered('c2')]).toEqual([false, false]);
  });

  it('does not affect the form of the next request', () => {
    const { people, broker, clock, ask, askedAt } = handedScene();
    const second = ask({ toolUseId: 'toolu_2' });
    clock.advance(5_000);

    people.takeBack('r1', { clientId: 'c1' }, accepted, askedAt);
    people.takeBack('r1', { clientId: 'c1' }, accepted, askedAt);

    expect(broker.openFor('s1')).toEqual([second.request]);
    expect(people.canHandOver(second.request, 'c1', formsOnly)).toBe(true);
  });
});

it('remembers the last thousand requests that people settled', () => {
  const { people, clock, ask } = createPeopleScene();
  for (let index = 1; index <= 1_001; index += 1) {
    const { request } = ask();
    const askedAt = clock.elapsed();
    people.handOver(request, 'c1', formsOnly);
    clock.advance(250);
    people.takeBack(request.requestId, { clientId: 'c1' }, accepted, askedAt);
  }

  expect([people.isHandled('r1'), people.isHandled('r2'), people.isHandled('r1001')]).toEqual([
    false,
    true,
    true,
  ]);
});
