import type { AuditedCaller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { Approver, Form, FormReply } from '../core/forms.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { Logger } from '../core/observability/logger.js';
import type { InputBroker } from './broker.js';
import { buildAnswer, type GivenAnswer } from './build-answer.js';
import { denial, readForm, toForm, type FormOrigin } from './form.js';
import { isByPerson } from './presence.js';

export interface FormApprovalsSettings {
  readonly broker: InputBroker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Those who can be shown a form at any time; clients come and go. */
  readonly approvers: ReadonlySet<Approver>;
  /** Which session asks, for the person. */
  readonly originOf: (sessionId: string) => FormOrigin;
  /** Nobody was there for a form: the caller has to know of the request now. */
  readonly onNobody: (request: InputRequest) => void;
}

/** For a request without a deadline: a form does not stay for ever. */
const longestFormMs = 86_400_000;
/** A form that was handed over and has not come back for this long may be shown again, where only people approve. */
const lostFormMs = 60_000;
/** How many settled requests are remembered as a person's. */
const rememberedAnswers = 1_000;

export interface HandedForm {
  readonly form: Form;
  readonly askedAt: number;
}

interface AskedClient {
  readonly askedAt: number;
  /** Whether the answer is still to come. */
  isOut: boolean;
}

interface OpenForms {
  readonly request: InputRequest;
  /** Takes the forms away when somebody else was first. */
  readonly recall: AbortController;
  /** Forms that are in front of somebody at this moment. */
  shown: number;
  /** Every client that was asked, and whether its answer is still to come: one form per request and client. */
  readonly clients: Map<string, AskedClient>;
}

/** Puts requests before people, through forms of their clients, and judges whether somebody was there. */
export class FormApprovals {
  readonly #settings: FormApprovalsSettings;
  readonly #forms = new Map<string, OpenForms>();
  readonly #answered = new Set<string>();
  readonly #clientsWithPerson = new Set<string>();

  constructor(settings: FormApprovalsSettings) {
    this.#settings = settings;
  }

  /** Whether somebody behind this client has answered a form as only a person would. */
  hasAnswered(clientId: string): boolean {
    return this.#clientsWithPerson.has(clientId);
  }

  /** Somebody behind this client has answered a form that is no request of a session. */
  noteAnswer(clientId: string): void {
    this.#clientsWithPerson.add(clientId);
  }

  /** In front of a person now, or settled by one: no news for a caller that waits. */
  isHandled(requestId: string): boolean {
    return this.#answered.has(requestId) || (this.#forms.get(requestId)?.shown ?? 0) > 0;
  }

  /** A new request: shown to everyone who can be shown a form at any time. */
  onOpened(request: InputRequest): void {
    const open: OpenForms = { request, recall: new AbortController(), shown: 0, clients: new Map() };
    this.#forms.set(request.requestId, open);
    for (const approver of this.#settings.approvers) void this.#show(approver, open);
  }

  onSettled(requestId: string): void {
    this.#forms.get(requestId)?.recall.abort();
    this.#forms.delete(requestId);
  }

  /** The form to hand to a client that cannot be sent one; undefined when it has had its form. */
  handOver(request: InputRequest, clientId: string): HandedForm | undefined {
    const open = this.#forms.get(request.requestId);
    if (open === undefined || open.clients.has(clientId)) return undefined;
    const askedAt = this.#settings.clock.now();
    open.clients.set(clientId, { askedAt, isOut: true });
    return { form: this.#formFor(request), askedAt };
  }

  /** One form per request and client. */
  canHandOver({ requestId }: InputRequest, clientId: string): boolean {
    return this.#forms.get(requestId)?.clients.has(clientId) === false;
  }

  /** Where nobody but a person may approve, a form that got no answer must not be the last: it may come again. */
  askAgain(
    { requestId }: InputRequest,
    clientId: string,
    { isPatient }: { readonly isPatient: boolean },
  ): void {
    const open = this.#forms.get(requestId);
    const client = open?.clients.get(clientId);
    if (open === undefined || client === undefined || open.shown > 0) return;
    // It may still be before the person; one that has not come back for long will not.
    if ((client.isOut || isPatient) && this.#settings.clock.now() - client.askedAt < lostFormMs) return;
    open.clients.delete(clientId);
    for (const approver of this.#settings.approvers) {
      if (approver.who.clientId === clientId) void this.#show(approver, open);
    }
  }

  /** What came back for a form that was handed over. Settles nothing when it is late, or comes a second time. */
  takeBack(requestId: string, who: AuditedCaller, reply: FormReply, askedAt: number): void {
    const open = this.#forms.get(requestId);
    const client = open?.clients.get(who.clientId);
    // Not that of an earlier form about the same request either.
    if (open === undefined || client?.isOut !== true || client.askedAt !== askedAt) return;
    client.isOut = false;
    this.#settle(open.request, who, reply, askedAt);
  }

  async #show(approver: Approver, open: OpenForms): Promise<void> {
    const { request, recall, clients } = open;
    const { clock, logger } = this.#settings;
    const askedAt = clock.now();
    const { requestId, expiresAt = askedAt + longestFormMs } = request;
    open.shown += 1;
    const client = { askedAt, isOut: true };
    clients.set(approver.who.clientId, client);
    let isSettled = false;
    try {
      const reply = await approver.show(this.#formFor(request), {
        signal: recall.signal,
        timeoutMs: Math.max(1, expiresAt - askedAt),
      });
      if (!recall.signal.aborted) isSettled = this.#settle(request, approver.who, reply, askedAt);
    } catch (error) {
      logger.log('debug', 'a form could not be shown', {
        sessionId: request.sessionId,
        requestId,
        reason: messageOf(error),
      });
    }
    open.shown -= 1;
    client.isOut = false;
    if (!isSettled && open.shown === 0 && !recall.signal.aborted) this.#settings.onNobody(request);
  }

  /** True when a person has settled it. A malformed answer leaves it open, like no answer. */
  #settle(request: InputRequest, who: AuditedCaller, reply: FormReply, askedAt: number): boolean {
    const { broker, clock, logger } = this.#settings;
    const { requestId } = request;
    const given = judge(request, reply, clock.now() - askedAt);
    if (given === undefined) return false;
    try {
      const answer = buildAnswer(request, given);
      this.#remember(requestId);
      this.#clientsWithPerson.add(who.clientId);
      broker.answer(requestId, answer, 'elicitation', who);
      return true;
    } catch (error) {
      // Still open: whoever waits for it must hear of it.
      this.#answered.delete(requestId);
      logger.log('warn', 'a form answer was rejected', {
        sessionId: request.sessionId,
        requestId,
        reason: messageOf(error),
      });
      return false;
    }
  }

  #formFor(request: InputRequest): Form {
    return toForm(request, this.#settings.originOf(request.sessionId));
  }

  #remember(requestId: string): void {
    this.#answered.add(requestId);
    const [oldest] = this.#answered;
    if (this.#answered.size > rememberedAnswers && oldest !== undefined) this.#answered.delete(oldest);
  }
}

/** What a person said; undefined when nobody was there. */
function judge(request: InputRequest, reply: FormReply, elapsedMs: number): GivenAnswer | undefined {
  if (!isByPerson(reply, elapsedMs)) return undefined;
  return reply.action === 'accept' ? readForm(request, reply.content) : denial();
}
