import { blindRedactor } from '../kit/redactors.js';
import { noPage } from '../../src/core/forms.js';
import { auditInto } from '../kit/audits.js';
import { plainPolicy } from '../kit/policy.js';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { noMeter } from '../../src/core/observability/measurements.js';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import type { Caller } from '../../src/core/caller.js';
import type { AnsweredBy } from '../../src/core/session/events.js';
import type { FormReply } from '../../src/core/forms.js';
import type { InputAnswer, InputRequest } from '../../src/core/session/inputs.js';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { Approvals } from '../../src/sessions/approvals.js';
import { News } from '../../src/sessions/news.js';
import { plainAsk } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { plainOptions } from '../kit/records.js';
import { arrival, FakeApprover } from './people-scene.js';

type Reply = 'accept' | 'decline' | 'cancel' | 'malformed';
type Move =
  | { readonly type: 'caller' | 'slowCaller' | 'withdraw' | 'handOver'; readonly index: number }
  | { readonly type: 'form'; readonly index: number; readonly client: 'a' | 'b'; readonly reply: Reply }
  | { readonly type: 'takeBack'; readonly index: number; readonly reply: Reply }
  | { readonly type: 'interrupt'; readonly sessionId: string }
  | { readonly type: 'advance'; readonly ms: number };

interface Question {
  readonly sessionId: string;
  readonly timeoutMs: number;
}

/** Who settled a request: the route, and the text that only this answerer uses. */
interface Winner {
  readonly answeredBy: AnsweredBy;
  readonly words: string;
}

const caller: Caller = { clientId: 'c', canAskPerson: true };
const anyIndex = fc.nat(3);
const anyReply = fc.constantFrom<Reply>('accept', 'accept', 'decline', 'cancel', 'malformed');
const anySession = fc.constantFrom('s1', 's2');
/** Weighted so that every answerer often wins: most answers must arrive late enough to count as a person's. */
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('advance'),
      ms: fc.constantFrom(1, 249, 250, 700, 1_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('form'),
      index: anyIndex,
      client: fc.constantFrom('a', 'b'),
      reply: anyReply,
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('handOver'), index: anyIndex }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('takeBack'), index: anyIndex, reply: anyReply }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('caller', 'slowCaller', 'withdraw'), index: anyIndex }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('interrupt'), sessionId: anySession }) },
);
const anyQuestions = fc.array(
  fc.record({ sessionId: anySession, timeoutMs: fc.constantFrom(0, 300, 1_200, 3_000, 6_000) }),
  { minLength: 1, maxLength: 4 },
);

/**
 * Competitors for the same requests: two clients that accept forms at any time, one that gets forms as answers, and a
 * caller.
 */
function createRace(questions: readonly Question[]) {
  const clock = new FakeClock();
  const audit: AuditEntry[] = [];
  const approvers = { a: new FakeApprover('a'), b: new FakeApprover('b') };
  let count = 0;
  const approvals = new Approvals(
    {
      clock,
      ids: { uuid: () => 'unused', short: () => `r${(count += 1)}` },
      logger: { log: () => undefined },
      redactor: blindRedactor,
      meter: noMeter,
      audit: auditInto(audit),
      approvers: new Set(Object.values(approvers)),
      page: noPage,
      policy: { ...plainPolicy, approvals: 'any', preallow: undefined },
      folders: {
        claudeHome: resolveClaudeHome({ home: '/nowhere' }),
        defaultCwd: '/nowhere',
        bounds: {
          home: '/nowhere',
          stateDir: '/nowhere',
          claudeDir: '/nowhere',
          listed: [],
          trusted: [],
          roots: [],
        },
      },
    },
    () => undefined,
    async () => undefined,
    new News(),
  );
  const asked = questions.map(({ sessionId, timeoutMs }) => {
    const controller = new AbortController();
    const opened: InputRequest[] = [];
    const settled: AnsweredBy[] = [];
    const answer = approvals.broker.ask(plainAsk, {
      sessionId,
      timeoutMs,
      interruptOnTimeout: false,
      signal: controller.signal,
      onOpened: (request) => void opened.push(request),
      onSettled: ({ answeredBy }) => void settled.push(answeredBy),
    });
    const [request] = opened;
    if (request === undefined) throw new Error('it was not opened');
    return { request, answer, settled, withdraw: () => controller.abort() };
  });
  return {
    clock,
    audit,
    approvers,
    approvals,
    asked,
    replied: new Set<string>(),
    handedAt: new Map<number, number>(),
  };
}

type Race = ReturnType<typeof createRace>;

/** Makes the move. A caller that lost learns who won; all others are just too late. */
async function make(move: Move, race: Race): Promise<void> {
  const { clock, approvals, approvers, asked, replied, handedAt } = race;
  if (move.type === 'advance') return clock.advance(move.ms);
  if (move.type === 'interrupt') return approvals.broker.withdrawAll(move.sessionId, 'interrupt');
  const target = asked[move.index];
  if (target === undefined) return;
  const { request, withdraw, settled } = target;
  if (move.type === 'withdraw') return withdraw();
  if (move.type === 'handOver') {
    const handed = approvals.handOver(request, caller);
    if (handed !== undefined) handedAt.set(move.index, handed.askedAt);
    return;
  }
  if (move.type === 'takeBack') {
    const askedAt = handedAt.get(move.index) ?? request.askedAt;
    return approvals.takeBack(request.requestId, caller, replyOf(move.reply, 'c'), askedAt);
  }
  if (move.type === 'form') {
    replied.add(`${move.client}${move.index}`);
    return approvers[move.client].shown[move.index]?.reply(replyOf(move.reply, move.client));
  }
  const hasLostBefore = settled.length > 0;
  const outcome = await approvals
    .answer({ options: plainOptions }, request, given[move.type], caller)
    .catch((error: unknown) => error);
  if (hasLostBefore || outcome !== undefined) {
    const { requestId } = request;
    expect(String(outcome)).toMatch(
      settled[0] === 'withdrawn'
        ? `request ${requestId} was withdrawn`
        : new RegExp(
            `request ${requestId} is already settled \\(decision: (allow|deny), answered by: ${settled[0]}\\)$`,
          ),
    );
  }
}

/** Permission changes are resolved first, so others can overtake a call that started earlier. */
const given = {
  caller: { decision: 'deny', message: 'by the caller' },
  slowCaller: { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'default' }] },
} as const;

function replyOf(reply: Reply, client: string): FormReply {
  if (reply === 'accept') return { action: 'accept', content: { decision: 'deny', note: `by ${client}` } };
  if (reply === 'malformed') return { action: 'accept', content: { decision: 'perhaps' } };
  return { action: reply };
}

/** Ends all open requests and checks that nothing is left. */
async function finish({ approvals, asked, audit, approvers, clock, replied }: Race): Promise<Winner[]> {
  for (const sessionId of ['s1', 's2']) approvals.broker.withdrawAll(sessionId, 'shutdown');
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  await arrival();
  const entries = asked.map(({ request }) =>
    audit.flatMap((entry) =>
      entry.what === 'input_settled' && entry.requestId === request.requestId ? [entry.answeredBy] : [],
    ),
  );
  expect(entries).toEqual(asked.map(({ settled }) => settled));
  expect(entries.map((one) => one.length)).toEqual(asked.map(() => 1));
  expect(audit).toHaveLength(asked.length);
  expect(['s1', 's2'].flatMap((sessionId) => approvals.broker.openFor(sessionId))).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
  const stillShown = (['a', 'b'] as const).flatMap((client) =>
    approvers[client].shown.flatMap(({ signal }, index) =>
      signal.aborted || replied.has(`${client}${index}`) ? [] : [`${client}${index}`],
    ),
  );
  expect(stillShown).toEqual([]);
  expect(asked.map(({ request }) => approvals.canHandOver(request, caller))).toEqual(asked.map(() => false));
  const winners = answers.map((answer, index) => ({
    answeredBy: entries[index]?.[0] ?? 'shutdown',
    words: wordsOf(answer),
  }));
  expectPeopleAmong(winners, approvals);
  return winners;
}

/** Only winners through a form count as a person; a bare decline does not identify the client. */
function expectPeopleAmong(winners: readonly Winner[], approvals: Approvals): void {
  const byForm = winners.filter(({ answeredBy }) => answeredBy === 'elicitation');
  const named = new Set(byForm.flatMap(({ words }) => /: by ([abc])$/.exec(words)?.[1] ?? []));
  const unnamed = byForm.filter(({ words }) => words === 'A person denied this.');
  const people = ['a', 'b', 'c'].filter(
    (clientId) => approvals.standingOf({ ...caller, clientId }).hasPerson,
  );
  expect(people).toEqual(expect.arrayContaining([...named]));
  expect(people.length).toBeLessThanOrEqual(named.size + unnamed.length);
}

function wordsOf(answer: InputAnswer): string {
  return answer.decision === 'deny' ? answer.message : 'allowed';
}

const withdrawnWords = 'The request was withdrawn before anyone answered it.';
const wordsBy: Readonly<Partial<Record<AnsweredBy, RegExp>>> = {
  caller: /^(by the caller|allowed)$/,
  elicitation: /^A person denied this(\.|: by [abc])$/,
  timeout: /^This was not done, because nobody answered within /,
  withdrawn: /^The request was withdrawn /,
  interrupt: /^The request was withdrawn /,
  shutdown: /^The request was withdrawn /,
};

/** The expected outcome by the rules alone: the first credible answer wins, and each client gets one form. */
class Expected {
  readonly #questions: readonly Question[];
  readonly #winners = new Map<number, Winner>();
  readonly #forms: Set<string>;
  /** When the client received the form. */
  readonly #handed = new Map<number, number>();
  #elapsedMs = 0;

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
    this.#forms = new Set(questions.flatMap((_, index) => [`a${index}`, `b${index}`]));
  }

  get winners(): Winner[] {
    return this.#questions.map(
      (_, index) => this.#winners.get(index) ?? { answeredBy: 'shutdown', words: withdrawnWords },
    );
  }

  make(move: Move): void {
    if (move.type === 'advance') return this.#advance(move.ms);
    if (move.type === 'interrupt') {
      for (const [index, { sessionId }] of this.#questions.entries()) {
        if (sessionId === move.sessionId) this.#settle(index, 'interrupt', withdrawnWords);
      }
      return;
    }
    const { index } = move;
    if (index >= this.#questions.length || this.#winners.has(index)) return;
    if (move.type === 'form') return this.#reply(index, move.client, move.reply);
    if (move.type === 'takeBack') return this.#reply(index, 'c', move.reply);
    if (move.type === 'caller') return this.#settle(index, 'caller', 'by the caller');
    if (move.type === 'slowCaller') return this.#settle(index, 'caller', 'allowed');
    if (move.type === 'withdraw') return this.#settle(index, 'withdrawn', withdrawnWords);
    if (this.#handed.has(index)) return;
    this.#forms.add(`c${index}`);
    this.#handed.set(index, this.#elapsedMs);
  }

  #reply(index: number, client: string, reply: Reply): void {
    if (!this.#forms.delete(`${client}${index}`)) return;
    const shownFor = this.#elapsedMs - (client === 'c' ? (this.#handed.get(index) ?? 0) : 0);
    if (reply === 'accept' && shownFor >= 250) {
      this.#settle(index, 'elicitation', `A person denied this: by ${client}`);
    }
    if (reply === 'decline' && shownFor >= 1_000) {
      this.#settle(index, 'elicitation', 'A person denied this.');
    }
  }

  #advance(ms: number): void {
    this.#elapsedMs += ms;
    for (const [index, { timeoutMs }] of this.#questions.entries()) {
      if (timeoutMs === 0 || timeoutMs > this.#elapsedMs) continue;
      const words = `This was not done, because nobody answered within ${Math.round(timeoutMs / 1_000)} s. No person denied it.`;
      this.#settle(index, 'timeout', words);
    }
  }

  #settle(index: number, answeredBy: AnsweredBy, words: string): void {
    if (!this.#winners.has(index)) this.#winners.set(index, { answeredBy, words });
  }
}

it('settles each request with the first answer when answers arrive one after another', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyQuestions,
      fc.array(anyMove, { minLength: 10, maxLength: 30 }),
      async (questions, moves) => {
        const race = createRace(questions);
        const expected = new Expected(questions);

        for (const move of moves) {
          await make(move, race);
          await arrival();
          expected.make(move);
        }

        expect(await finish(race)).toEqual(expected.winners);
      },
    ),
    { numRuns: 500 },
  );
});

it('settles each request with exactly one answer when answers arrive at the same moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyQuestions,
      fc.array(fc.array(anyMove, { minLength: 2, maxLength: 8 }), { minLength: 2, maxLength: 6 }),
      async (questions, moments) => {
        const race = createRace(questions);

        for (const moves of moments) await Promise.all(moves.map((move) => make(move, race)));

        const winners = await finish(race);
        for (const { answeredBy, words } of winners) expect(words).toMatch(wordsBy[answeredBy] ?? /^never$/);
      },
    ),
    { numRuns: 500 },
  );
});
