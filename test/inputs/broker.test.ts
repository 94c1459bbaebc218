import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { InputAnswer } from '../../src/core/session/inputs.js';
import { plainAsk } from '../kit/fake-backend.js';
import { createBrokerScene } from './broker-scene.js';

const allow: InputAnswer = { decision: 'allow' };
const deny: InputAnswer = { decision: 'deny', message: 'no', interrupt: true };
const withdrawn: InputAnswer = {
  decision: 'deny',
  message: 'The request was withdrawn before anyone answered it.',
  interrupt: false,
};

describe('a request', () => {
  it('is open, with its deadline, until it is answered', async () => {
    const { broker, clock, ask } = createBrokerScene();
    const { answer } = ask();

    const open = broker.openFor('s1');
    broker.answer('r1', allow, 'caller');

    expect(open).toEqual([
      {
        ...plainAsk,
        shown: plainAsk,
        requestId: 'r1',
        sessionId: 's1',
        askedAt: clock.now(),
        expiresAt: clock.now() + 60_000,
      },
    ]);
    expect(await answer).toEqual(allow);
    expect(broker.openFor('s1')).toEqual([]);
  });

  it('passes the answer on unchanged', async () => {
    const { broker, ask } = createBrokerScene();
    const [first, second] = [ask(), ask()];

    broker.answer('r1', deny, 'elicitation');
    broker.answer('r2', { decision: 'allow', updatedInput: { command: 'ls' } }, 'caller');

    expect(await first.answer).toBe(deny);
    expect(await second.answer).toEqual({ decision: 'allow', updatedInput: { command: 'ls' } });
  });

  it('stays open if its answer is refused, and the answerer gets the reason', async () => {
    const asked: unknown[] = [];
    const { broker, ask } = createBrokerScene({
      onAnswering({ decision, answeredBy }, who) {
        asked.push([decision, answeredBy, who?.clientId]);
        if (decision === 'allow') throw new AppError('audit_unwritable', { path: '/full' });
      },
    });
    const { answer } = ask();

    expect(() => broker.answer('r1', allow, 'caller', { clientId: 'c1' })).toThrow(
      'the audit log /full cannot be written',
    );
    expect(broker.openFor('s1')).toHaveLength(1);
    broker.answer('r1', deny, 'elicitation');

    expect(await answer).toBe(deny);
    expect(asked).toEqual([
      ['allow', 'caller', 'c1'],
      ['deny', 'elicitation', undefined],
    ]);
  });

  it('reports to its session who settled it and how', () => {
    const { broker, opened, ask } = createBrokerScene();
    const { settled } = ask();

    broker.answer('r1', allow, 'elicitation');

    expect(settled).toEqual([
      {
        settled: { request: opened[0], answer: allow, decision: 'allow', answeredBy: 'elicitation' },
        othersOpen: false,
      },
    ]);
  });

  it('leaves no timer after it is settled', () => {
    const { broker, clock, ask } = createBrokerScene();
    const [, second] = [ask(), ask(), ask()];

    broker.answer('r1', allow, 'caller');
    second.abort();
    broker.withdrawAll('s1', 'interrupt');

    expect(clock.pendingTimers).toBe(0);
  });
});

describe('a request whose call has changed since it was shown', () => {
  it('is withdrawn instead of approved', async () => {
    const { broker, ask } = createBrokerScene();
    const { answer, settled } = ask({ hasChanged: () => true });

    expect(() => broker.answer('r1', allow, 'page')).toThrow(
      new AppError('request_changed', { requestId: 'r1' }),
    );

    expect(await answer).toEqual(withdrawn);
    expect(settled).toMatchObject([{ settled: { decision: 'none', answeredBy: 'withdrawn' } }]);
  });

  it('can be denied', async () => {
    const { broker, ask } = createBrokerScene();
    const { answer } = ask({ hasChanged: () => true });

    broker.answer('r1', deny, 'page');

    expect(await answer).toBe(deny);
  });
});

describe('a second answer', () => {
  it('changes nothing and reports who answered first', async () => {
    const { broker, ask, clock } = createBrokerScene();
    const { answer, settled } = ask();
    broker.answer('r1', deny, 'elicitation');

    expect(() => broker.answer('r1', allow, 'caller')).toThrow(
      new AppError('request_settled', {
        requestId: 'r1',
        sessionId: 's1',
        answeredBy: 'elicitation',
        decision: 'deny',
        at: clock.now(),
      }),
    );
    expect(await answer).toBe(deny);
    expect(settled).toHaveLength(1);
  });

  it('reports an unknown request if there never was one', () => {
    const { broker } = createBrokerScene();

    expect(() => broker.find('x'.repeat(100))).toThrow(
      new AppError('request_unknown', { requestId: 'x'.repeat(100) }),
    );
  });

  it('reports the first answer for the last thousand requests only', () => {
    const { broker, ask } = createBrokerScene();
    for (let index = 1; index <= 1_001; index += 1) {
      ask();
      broker.answer(`r${index}`, allow, 'caller');
    }

    expect(() => broker.find('r1')).toThrow('request r1 is not open');
    expect(() => broker.find('r2')).toThrow(
      'request r2 is already settled (decision: allow, answered by: caller)',
    );
  });
});

describe('the beginning of an id', () => {
  const ids = ['abcdef12', 'abcdef34', 'abcdefgh12', 'abcdefgh'];

  it('names the only request that begins like it', () => {
    const { broker, ask } = createBrokerScene({}, ids);
    ask();

    expect(broker.complete('abcdef')).toBe('abcdef12');
    expect(broker.complete('abcdef12')).toBe('abcdef12');
  });

  it('is taken as it is if it is too short or unknown', () => {
    const { broker, ask } = createBrokerScene({}, ids);
    ask();

    expect(['abcde', 'ABCDEF', 'abcdef123'].map((start) => broker.complete(start))).toEqual([
      'abcde',
      'ABCDEF',
      'abcdef123',
    ]);
  });

  it('is refused if several begin like it, also if one of them is settled', () => {
    const { broker, ask } = createBrokerScene({}, ids);
    const [first] = [ask(), ask()];
    broker.answer(first.requestId, allow, 'caller');

    expect(broker.openFor().map(({ requestId }) => requestId)).toEqual(['abcdef34']);
    expect(() => broker.complete('abcdef')).toThrow(
      new AppError('request_id_ambiguous', { text: 'abcdef', count: 2 }),
    );
  });

  it('is an id itself if there is one', () => {
    const { broker, ask } = createBrokerScene({}, ids.slice(2));
    for (const _id of [1, 2]) ask();

    expect(broker.complete('abcdefgh')).toBe('abcdefgh');
  });
});

describe('a deadline', () => {
  it('denies without an interrupt and says that nobody answered', async () => {
    const { clock, ask } = createBrokerScene();
    const { answer, settled } = ask();

    clock.advance(60_000);

    expect(await answer).toEqual({
      decision: 'deny',
      message: 'This was not done, because nobody answered within 60 s. No person denied it.',
      interrupt: false,
    });
    expect(settled).toMatchObject([{ settled: { answeredBy: 'timeout' }, othersOpen: false }]);
  });

  it('does not expire early', () => {
    const { broker, clock, ask } = createBrokerScene();
    ask();

    clock.advance(59_999);

    expect(broker.openFor('s1')).toHaveLength(1);
  });

  it('does not exist if the timeout is 0', () => {
    const { broker, clock, ask } = createBrokerScene();
    ask({ timeoutMs: 0 });

    clock.advance(10 ** 12);

    expect(broker.openFor('s1')).toMatchObject([{ expiresAt: undefined }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is reported to a later answerer', () => {
    const { broker, clock, ask } = createBrokerScene();
    ask();

    clock.advance(60_000);

    expect(() => broker.answer('r1', allow, 'caller')).toThrow(
      'is already settled (decision: deny, answered by: timeout)',
    );
  });
});

describe('a withdrawal', () => {
  it('follows an abort by Claude Code', async () => {
    const { ask } = createBrokerScene();
    const { answer, abort, settled } = ask();

    abort();

    expect(await answer).toEqual(withdrawn);
    expect(settled).toMatchObject([{ settled: { answeredBy: 'withdrawn' } }]);
  });

  it('happens at once if the request was aborted before it was opened', async () => {
    const { broker, clock, ask } = createBrokerScene();

    const { answer, settled } = ask({ signal: AbortSignal.abort() });

    expect(await answer).toEqual(withdrawn);
    expect(settled).toHaveLength(1);
    expect([broker.openFor('s1').length, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('settles all requests of one session and no others', async () => {
    const { broker, ask } = createBrokerScene();
    const [first, second] = [ask(), ask()];
    ask({ sessionId: 's2' });

    broker.withdrawAll('s1', 'cancel');

    expect(await Promise.all([first.answer, second.answer])).toEqual([withdrawn, withdrawn]);
    expect(first.settled).toMatchObject([{ settled: { answeredBy: 'cancel' }, othersOpen: true }]);
    expect(second.settled).toMatchObject([{ settled: { answeredBy: 'cancel' }, othersOpen: false }]);
    expect(broker.openFor('s2')).toHaveLength(1);
  });

  it('does nothing if no request is open', () => {
    const { broker } = createBrokerScene();

    expect(() => broker.withdrawAll('s1', 'shutdown')).not.toThrow();
  });
});

describe('several requests of one session', () => {
  it('are answered in any order, and each answer reports whether others are open', () => {
    const { broker, ask } = createBrokerScene();
    const asked = [ask(), ask(), ask()];
    ask({ sessionId: 's2' });

    for (const id of ['r2', 'r3', 'r1']) broker.answer(id, allow, 'caller');

    expect(asked.map(({ settled }) => settled.map(({ othersOpen }) => othersOpen))).toEqual([
      [false],
      [true],
      [true],
    ]);
  });
});
