import type { AuditedCaller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import type { AnswerPage } from '../core/forms.js';
import type { AnsweredBy, Answerer } from '../core/session/events.js';
import type { IdSource } from '../core/ids.js';
import type { ParamsOf } from '../core/reasons/index.js';
import type { InputAnswer, InputAsk, InputRequest, SettledInput } from '../core/session/inputs.js';
import { countSecretMarks } from '../core/observability/mask.js';
import type { Redactor } from '../core/observability/redactor.js';

export interface AskOptions {
  readonly sessionId: string;
  /** 0 means no deadline. */
  readonly timeoutMs: number;
  /** Whether an unanswered request ends the turn instead of only being denied. */
  readonly interruptOnTimeout: boolean;
  /** Aborts when Claude Code withdraws the request. */
  readonly signal: AbortSignal;
  /** Whether the call would now do something else than the request says. Asked before an approval counts. */
  readonly hasChanged?: (() => boolean) | undefined;
  readonly onOpened: (request: InputRequest) => void;
  readonly onSettled: (settled: SettledInput, othersOpen: boolean) => void;
}

/** Observes every request of every session. */
export interface InputWatcher {
  onOpened(request: InputRequest): void;
  /**
   * Called before an answer, or an earlier approval, settles the request. If it throws, the answerer gets the error and
   * nothing is settled.
   */
  onAnswering(settled: SettledInput, who: AuditedCaller | undefined): void;
  onSettled(settled: SettledInput): void;
}

export interface BrokerDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly redactor: Redactor;
  readonly page: AnswerPage;
  readonly watcher: InputWatcher;
}

interface OpenInput {
  readonly request: InputRequest;
  readonly hasChanged: () => boolean;
  readonly settle: (answer: InputAnswer, by: AnsweredBy, device?: string) => void;
}

type Remembered = Omit<ParamsOf<'request_settled'>, 'requestId'>;

/** How many settled requests are remembered, to tell a late answerer who answered first. */
const rememberedAnswers = 1_000;

/** Of an id of eight characters. */
const fewestChars = 6;

/** Owns every open request of every session. Each is settled exactly once, by the first answer. */
export class InputBroker {
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #redactor: Redactor;
  readonly #page: AnswerPage;
  readonly #watcher: InputWatcher;
  readonly #open = new Map<string, OpenInput>();
  readonly #settled = new Map<string, Remembered>();

  constructor({ clock, ids, redactor, page, watcher }: BrokerDependencies) {
    this.#clock = clock;
    this.#ids = ids;
    this.#redactor = redactor;
    this.#page = page;
    this.#watcher = watcher;
  }

  /** Never rejects and never hangs: an answer, the deadline, a withdrawal or the end of the session resolves it. */
  ask(ask: InputAsk, options: AskOptions): Promise<InputAnswer> {
    const { sessionId, timeoutMs, interruptOnTimeout, signal, hasChanged, onOpened, onSettled } = options;
    const askedAt = this.#clock.now();
    const requestId = this.#ids.short();
    const request: InputRequest = {
      ...this.#masked(ask),
      requestId,
      sessionId,
      answerAt: this.#page.linkTo(requestId),
      askedAt,
      expiresAt: timeoutMs === 0 ? undefined : askedAt + timeoutMs,
    };
    return new Promise((resolve) => {
      const withdraw = (): void => settle(withdrawn, 'withdrawn');
      const stopTimer =
        timeoutMs === 0
          ? () => undefined
          : this.#clock.after(timeoutMs, () => settle(expired(timeoutMs, interruptOnTimeout), 'timeout'));
      const settle: OpenInput['settle'] = (answer, answeredBy, device) => {
        if (!this.#open.delete(request.requestId)) return;
        stopTimer();
        signal.removeEventListener('abort', withdraw);
        const decision = answeredBy === 'withdrawn' ? 'none' : answer.decision;
        const settled: SettledInput = { request, answer, decision, answeredBy, ...onDevice(device) };
        this.#remember(settled);
        resolve(answer);
        this.#watcher.onSettled(settled);
        onSettled(settled, this.openFor(sessionId).length > 0);
      };
      this.#open.set(request.requestId, { request, hasChanged: hasChanged ?? (() => false), settle });
      // The watcher comes first: a waiting caller must see at once that a person is being asked.
      this.#watcher.onOpened(request);
      onOpened(request);
      if (!this.#open.has(request.requestId)) return;
      if (signal.aborted) withdraw();
      else signal.addEventListener('abort', withdraw, { once: true });
    });
  }

  /**
   * Settles a request by an earlier approval. Nobody is asked, but the watcher is notified. Throws if the watcher
   * refuses.
   */
  answerByRule(ask: InputAsk, sessionId: string): void {
    const askedAt = this.#clock.now();
    const request = { ...this.#masked(ask), requestId: ask.toolUseId, sessionId };
    const settled: SettledInput = {
      request: { ...request, askedAt, expiresAt: undefined },
      answer: { decision: 'allow' },
      decision: 'allow',
      answeredBy: 'rule',
    };
    this.#watcher.onAnswering(settled, undefined);
    this.#watcher.onSettled(settled);
  }

  /** The open requests of a session; without an id, of all sessions. */
  openFor(sessionId?: string): readonly InputRequest[] {
    return [...this.#open.values()]
      .map(({ request }) => request)
      .filter((request) => sessionId === undefined || request.sessionId === sessionId);
  }

  /** The requests that were settled last, for those who have missed it. */
  lastSettled(count: number): readonly ParamsOf<'request_settled'>[] {
    return [...this.#settled].slice(-count).map(([requestId, settled]) => ({ requestId, ...settled }));
  }

  /** Returns the open request with this id; throws an error that says why there is none. */
  find(requestId: string): InputRequest {
    const open = this.#open.get(requestId);
    if (open !== undefined) return open.request;
    const settled = this.#settled.get(requestId);
    if (settled !== undefined) {
      throw new AppError('request_settled', { requestId, ...settled });
    }
    throw new AppError('request_unknown', { requestId });
  }

  /**
   * The id of the request that a caller names by its id or the beginning of it. Settled requests count too: an answer to
   * one of them must not reach another that begins alike.
   */
  complete(start: string): string {
    if (this.#open.has(start) || this.#settled.has(start) || start.length < fewestChars) return start;
    const found = [...this.#open.keys(), ...this.#settled.keys()].filter((id) => id.startsWith(start));
    if (found.length > 1) throw new AppError('request_id_ambiguous', { text: start, count: found.length });
    return found[0] ?? start;
  }

  /** If the call has changed since it was shown, an approval withdraws the request instead, and this throws. */
  answer(requestId: string, answer: InputAnswer, by: Answerer, who?: AuditedCaller): void {
    const request = this.find(requestId);
    const open = this.#open.get(requestId);
    if (answer.decision === 'allow' && open?.hasChanged() === true) {
      open.settle(withdrawn, 'withdrawn');
      throw new AppError('request_changed', { requestId });
    }
    const device = by === 'page' ? who?.device : undefined;
    const settled = { request, answer, decision: answer.decision, answeredBy: by, ...onDevice(device) };
    this.#watcher.onAnswering(settled, who);
    open?.settle(answer, by, device);
  }

  /** Denies a request on behalf of the server, because nobody can be asked. */
  refuse(requestId: string, message: string): void {
    this.#open.get(requestId)?.settle({ decision: 'deny', message, interrupt: false }, 'rule');
  }

  /** Settles all open requests of a session, because its turn or the session itself ends. */
  withdrawAll(sessionId: string, by: AnsweredBy): void {
    for (const { requestId } of this.openFor(sessionId)) {
      this.#open.get(requestId)?.settle(withdrawn, by);
    }
  }

  /** The request with the text that approvers read. */
  #masked(ask: InputAsk): Pick<InputRequest, keyof InputAsk | 'shown' | 'isMasked'> {
    const shown = this.#redactor.maskForApprover(ask);
    if (countSecretMarks(shown) === 0) return { ...ask, shown };
    return { ...ask, isGrantable: false, shown: { ...shown, isGrantable: false }, isMasked: true };
  }

  #remember({ request: { requestId, sessionId }, decision, answeredBy, device }: SettledInput): void {
    const at = this.#clock.now();
    this.#settled.set(requestId, { sessionId, decision, answeredBy, at, ...onDevice(device) });
    const oldest = this.#settled.keys().next().value;
    if (this.#settled.size > rememberedAnswers && oldest !== undefined) this.#settled.delete(oldest);
  }
}

function onDevice(device: string | undefined): Pick<SettledInput, 'device'> {
  return device === undefined ? {} : { device };
}

const withdrawn: InputAnswer = {
  decision: 'deny',
  message: 'The request was withdrawn before anyone answered it.',
  interrupt: false,
};

function expired(timeoutMs: number, interrupt: boolean): InputAnswer {
  return {
    decision: 'deny',
    message: `This was not done, because nobody answered within ${Math.round(timeoutMs / 1000)} s. No person denied it.`,
    interrupt,
  };
}
