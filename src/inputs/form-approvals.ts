import { clientKeyOf, type AuditedCaller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { Approver, Form, FormReply, Showing } from '../core/forms.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { Logger } from '../core/observability/logger.js';
import type { InputBroker } from './broker.js';
import { buildAnswer, type GivenAnswer } from './build-answer.js';
import { denial, readForm, toForm, toLink } from './form.js';
import type { FormOrigin } from './form-text.js';
import { isByPerson, isDismissedByClient } from './presence.js';

export interface FormApprovalsSettings {
  readonly broker: InputBroker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Clients that can show a form at any time; they connect and disconnect. */
  readonly approvers: ReadonlySet<Approver>;
  /** Describes the requesting session to the person. */
  readonly originOf: (sessionId: string) => FormOrigin;
  /** No person answered any form, so the caller must learn about the request now. */
  readonly onNobody: (request: InputRequest) => void;
}

/** How long a form stays open if the request has no deadline. */
const longestFormMs = 86_400_000;
/** After this time without a reply, a returned form may be shown again where only people approve. */
const lostFormMs = 60_000;
/** How many requests, and how many clients, are remembered. */
const mostRemembered = 1_000;

export interface HandedForm {
  readonly form: Form;
  readonly askedAt: number;
}

export interface FormState {
  readonly isShown: boolean;
  readonly shownAgainInMs: number;
}

interface AskedClient {
  readonly key: string;
  readonly askedAt: number;
  /** It was asked to open the page. */
  readonly isLink: boolean;
}

/** A form as it was shown last. It says where the session works, and how the session is called. */
interface MadeForm {
  readonly form: Form;
  readonly origin: FormOrigin;
}

type FormMaker = typeof toForm | typeof toLink;

interface OpenForms {
  readonly request: InputRequest;
  /** Made once for all clients: there may be hundreds, and the input may be long. */
  readonly made: Map<FormMaker, MadeForm>;
  /** Removes the forms once another answer has settled the request. */
  readonly recall: AbortController;
  /** How many forms are on screen at this moment. */
  shown: number;
  /** A person has agreed to open the page. */
  isAtPage: boolean;
  /** The clients that received a form: one form per request and client. */
  readonly clients: Map<string, AskedClient>;
  /** Those whose reply is pending, one for each connection: a client may have several. */
  readonly pending: Set<AskedClient>;
  /** Those that seemed to be lost and were shown again. A person may still answer them. */
  readonly replaced: Set<AskedClient>;
}

/** Shows requests to people through forms of their clients, and judges whether a person really answered. */
export class FormApprovals {
  readonly #settings: FormApprovalsSettings;
  readonly #forms = new Map<string, OpenForms>();
  readonly #answered = new Set<string>();
  readonly #clientsWithPerson = new Set<string>();
  /** Clients that dismissed their last form by themselves. */
  readonly #dismissing = new Set<string>();

  constructor(settings: FormApprovalsSettings) {
    this.#settings = settings;
  }

  /** Whether a person behind this client has answered a form, judged by the reaction time. */
  hasAnswered(clientKey: string): boolean {
    return this.#clientsWithPerson.has(clientKey);
  }

  /**
   * Whether the client dismisses forms by itself, because it runs without a person. Never true again once a person has
   * answered.
   */
  isUnattended(clientKey: string): boolean {
    return this.#dismissing.has(clientKey) && !this.hasAnswered(clientKey);
  }

  /** Records that a person answered a form that belongs to no session request. */
  noteAnswer(clientKey: string): void {
    remember(this.#clientsWithPerson, clientKey);
  }

  /** Shown to a person now, or settled by one: a waiting caller need not hear about it. */
  isHandled(requestId: string): boolean {
    const { shown = 0, isAtPage = false } = this.#forms.get(requestId) ?? {};
    return this.#answered.has(requestId) || shown > 0 || isAtPage;
  }

  /** Shows a new request to every client that accepts forms at any time. */
  onOpened(request: InputRequest): void {
    const open: OpenForms = {
      request,
      made: new Map(),
      recall: new AbortController(),
      shown: 0,
      isAtPage: false,
      clients: new Map(),
      pending: new Set(),
      replaced: new Set(),
    };
    this.#forms.set(request.requestId, open);
    for (const approver of this.#settings.approvers) void this.#show(approver, open);
  }

  /** A person settles the request in another way than by a form. */
  settleBy(requestId: string, settle: () => void): void {
    const wasAnswered = this.#answered.has(requestId);
    remember(this.#answered, requestId);
    try {
      settle();
    } catch (error) {
      // The request is still open, so a waiting caller must hear about it.
      if (!wasAnswered) this.#answered.delete(requestId);
      throw error;
    }
  }

  onSettled(requestId: string): void {
    this.#forms.get(requestId)?.recall.abort();
    this.#forms.delete(requestId);
  }

  /** Returns the form for a client that only receives forms as answers; undefined if it already had one. */
  handOver(request: InputRequest, clientKey: string, can: Showing): HandedForm | undefined {
    const open = this.#forms.get(request.requestId);
    if (open === undefined || open.clients.has(clientKey)) return undefined;
    const form = this.#formFor(open, can);
    if (form === undefined) return undefined;
    const { askedAt } = this.#noteAsked(open, clientKey, form);
    return { form, askedAt };
  }

  canHandOver({ requestId, answerAt }: InputRequest, clientKey: string, can: Showing): boolean {
    const isPossible = can.showForms || (can.openPages && answerAt !== undefined);
    return isPossible && this.#forms.get(requestId)?.clients.has(clientKey) === false;
  }

  /** Offers the form again where only people may approve: otherwise one unanswered form would block the request. */
  askAgain(
    { requestId }: InputRequest,
    clientKey: string,
    { isPatient }: { readonly isPatient: boolean },
  ): void {
    const open = this.#forms.get(requestId);
    const client = open?.clients.get(clientKey);
    if (open === undefined || client === undefined || open.shown > 0) return;
    // A recent form may still be on screen, or the person may be reading on the page; after this long, it is lost.
    const mayBeRead = open.pending.has(client) || open.isAtPage || isPatient;
    if (mayBeRead && this.#settings.clock.elapsed() - client.askedAt < lostFormMs) return;
    open.clients.delete(clientKey);
    if (open.pending.delete(client)) open.replaced.add(client);
    open.isAtPage = false;
    for (const approver of this.#settings.approvers) {
      if (clientKeyOf(approver.who) === clientKey) void this.#show(approver, open);
    }
  }

  /** Whether the person sees the form now, and otherwise how long it stays away from calls that do not wait. */
  stateOf({ requestId }: InputRequest, clientKey: string): FormState {
    const open = this.#forms.get(requestId);
    const client = open?.clients.get(clientKey);
    if (open === undefined || client === undefined) return { isShown: false, shownAgainInMs: 0 };
    const shownAgainInMs = Math.max(0, client.askedAt + lostFormMs - this.#settings.clock.elapsed());
    return { isShown: open.shown > 0 || (open.pending.has(client) && shownAgainInMs > 0), shownAgainInMs };
  }

  /** Takes the reply to a returned form. A late or repeated reply settles nothing. */
  takeBack(requestId: string, who: AuditedCaller, reply: FormReply, askedAt: number): void {
    const open = this.#forms.get(requestId);
    const client = open && takeForm(open, clientKeyOf(who), askedAt);
    if (open !== undefined && client !== undefined) this.#settle(open, who, reply, client);
  }

  async #show(approver: Approver, open: OpenForms): Promise<void> {
    const { request, recall } = open;
    const { clock, logger } = this.#settings;
    const form = this.#formFor(open, approver.can);
    if (form === undefined) return;
    const { requestId, expiresAt } = request;
    const failed = (reason: string): void =>
      logger.log('debug', 'a form could not be shown', { sessionId: request.sessionId, requestId, reason });
    open.shown += 1;
    const client = this.#noteAsked(open, clientKeyOf(approver.who), form);
    let isDone = false;
    try {
      const reply = await approver.show(form, {
        signal: recall.signal,
        timeoutMs: expiresAt === undefined ? longestFormMs : Math.max(1, expiresAt - clock.now()),
      });
      if (reply.action !== 'accept' && reply.problem !== undefined) failed(reply.problem);
      if (!recall.signal.aborted) isDone = this.#settle(open, approver.who, reply, client);
    } catch (error) {
      failed(messageOf(error));
    }
    open.shown -= 1;
    open.pending.delete(client);
    if (!isDone && open.shown === 0 && !recall.signal.aborted) this.#settings.onNobody(request);
  }

  /** True if a person settled the request, or goes to the page. A malformed reply leaves it open, like no reply. */
  #settle(open: OpenForms, who: AuditedCaller, reply: FormReply, client: AskedClient): boolean {
    const { broker, clock, logger } = this.#settings;
    const { key, askedAt, isLink } = client;
    const { request } = open;
    const { requestId } = request;
    const elapsedMs = clock.elapsed() - askedAt;
    if (!isDismissedByClient(reply, elapsedMs)) this.#dismissing.delete(key);
    else if (!this.#seesAnother(client)) remember(this.#dismissing, key);
    if (isLink) {
      // The reply is about opening the page. Only the page takes the decision.
      open.isAtPage = reply.action === 'accept';
      return open.isAtPage;
    }
    const given = judge(request, reply, elapsedMs);
    if (given === undefined) return false;
    try {
      const answer = buildAnswer(request, given);
      remember(this.#answered, requestId);
      remember(this.#clientsWithPerson, key);
      broker.answer(requestId, answer, 'elicitation', who);
      return true;
    } catch (error) {
      // The request is still open, so a waiting caller must hear about it.
      this.#answered.delete(requestId);
      logger.log('warn', 'a form answer was rejected', {
        sessionId: request.sessionId,
        requestId,
        reason: messageOf(error),
      });
      return false;
    }
  }

  #noteAsked(open: OpenForms, key: string, { url }: Form): AskedClient {
    const askedAt = this.#settings.clock.elapsed();
    const client: AskedClient = { key, askedAt, isLink: url !== undefined };
    open.clients.set(key, client);
    open.pending.add(client);
    return client;
  }

  /**
   * A client that shows one form at a time may dismiss the others, while a person reads the first. So may another of its
   * connections, which runs without a person.
   */
  #seesAnother(client: AskedClient): boolean {
    return [...this.#forms.values()].some(({ pending }) =>
      [...pending].some((other) => other !== client && other.key === client.key),
    );
  }

  /** Undefined if the client can show neither the form nor the page. */
  #formFor({ request, made }: OpenForms, { showForms, openPages }: Showing): Form | undefined {
    const { answerAt } = request;
    const origin = this.#settings.originOf(request.sessionId);
    if (openPages && answerAt !== undefined)
      return once(made, toLink, origin, () => toLink(request, origin, answerAt));
    return showForms ? once(made, toForm, origin, () => toForm(request, origin)) : undefined;
  }
}

/** The form that was returned to this client then; undefined if it has been answered, or was never returned. */
function takeForm({ pending, replaced }: OpenForms, key: string, askedAt: number): AskedClient | undefined {
  const client = [...pending, ...replaced].find((one) => one.key === key && one.askedAt === askedAt);
  if (client !== undefined && !pending.delete(client)) replaced.delete(client);
  return client;
}

/** Makes a form again only if the session is described in another way than before. */
function once(made: OpenForms['made'], maker: FormMaker, origin: FormOrigin, make: () => Form): Form {
  const last = made.get(maker);
  if (last?.origin.session === origin.session && last.origin.folder === origin.folder) return last.form;
  const form = make();
  made.set(maker, { form, origin });
  return form;
}

/** Clients choose their names themselves, so the memory is bounded. */
function remember(known: Set<string>, key: string): void {
  known.add(key);
  const [oldest] = known;
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
}

/** Returns the person's answer; undefined if no person answered. */
function judge(request: InputRequest, reply: FormReply, elapsedMs: number): GivenAnswer | undefined {
  if (!isByPerson(reply, elapsedMs)) return undefined;
  return reply.action === 'accept' ? readForm(request, reply.content) : denial();
}
