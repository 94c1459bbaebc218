import type { AnswerRights } from '../inputs/present.js';
import { clientKeyOf, type Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import { noPage, type AnswerPage, type Approver, type FormReply, type Showing } from '../core/forms.js';
import type { Audit } from '../core/observability/audit.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { PermissionMode } from '../core/options/tools.js';
import { joinRules } from '../core/options/permission-rules.js';
import { foldersOf } from '../core/options/place.js';
import { isAnswer } from '../core/session/events.js';
import type { InputRequest, PermissionUpdate } from '../core/session/inputs.js';
import type { Logger } from '../core/observability/logger.js';
import type { Meter } from '../core/observability/measurements.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { NamedRequest } from '../core/reasons/arguments.js';
import { tellingText } from '../core/text/tool-summary.js';
import { InputBroker } from '../inputs/broker.js';
import { buildAnswer, type GivenAnswer } from '../inputs/build-answer.js';
import { refuseUnreadEdit } from '../inputs/edited-input.js';
import { FormApprovals, type HandedForm } from '../inputs/form-approvals.js';
import { refuseUnanswered } from '../inputs/questions.js';
import { quoteCode, toolLabel } from '../inputs/quote.js';
import { isReadingBounded } from '../policy/reading-bounds.js';
import {
  isPersonNeeded,
  mayAnswer,
  mayAskPerson,
  refuseApproval,
  refuseLasting,
  refuseWithoutScope,
  type CallerStanding,
} from '../policy/approvals.js';
import { refuseEditAround } from '../policy/deny-rules.js';
import { refuseTooManyDenied, resolvePermissionUpdates } from '../policy/permission-updates.js';
import { nextModes, refuseNextMode } from '../policy/resolve-options.js';
import type { PolicySettings } from '../policy/settings.js';
import { callerFields, settledEntry } from '../session/report/audit-entries.js';
import { readLanguagePlugins } from '../history/programs/language-plugins.js';
import { readPermissionRules } from '../history/settings/permission-rules.js';
import type { Session } from '../session/session.js';
import type { SessionView } from '../session/session-view.js';
import { BypassSwitch } from './bypass-switch.js';
import type { News } from './news.js';
import { areTrusted, realFolders, type FolderSettings } from './options/folder-facts.js';

/** How many open requests an error names. */
const maxNamedRequests = 5;

/** An answer from a caller, whose `updatedPermissions` are not checked yet. */
export type CallerAnswer = Omit<GivenAnswer, 'updates'> & {
  readonly updatedPermissions?: readonly unknown[] | undefined;
};

export interface ApprovalsDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly meter: Meter;
  readonly redactor: Redactor;
  readonly approvers: ReadonlySet<Approver>;
  readonly page: AnswerPage;
  readonly policy: PolicySettings;
  readonly folders: FolderSettings;
}

/** Settles the requests of sessions: people answer through forms, callers through calls, each within the policy. */
export class Approvals {
  readonly broker: InputBroker;
  readonly bypass: BypassSwitch;
  readonly #forms: FormApprovals;
  readonly #deps: ApprovalsDependencies;
  /** A person has answered or prompted on the page, which shows the requests of every client of this principal. */
  #hasPersonOnPage = false;
  /** The callers that have prompted a session, by their client. */
  readonly #promptedBy = new Map<string, Map<string, Caller>>();

  constructor(
    deps: ApprovalsDependencies,
    findSession: (id: string) => Session | undefined,
    onBypassEnded: (clientKey: string) => Promise<void>,
    news: Pick<News, 'asked' | 'settled'>,
  ) {
    this.#deps = deps;
    this.broker = new InputBroker({
      ...deps,
      page: deps.policy.approvals === 'human' ? deps.page : noPage,
      watcher: {
        onOpened: (request) => {
          news.asked(request);
          this.#forms.onOpened(request);
        },
        // An approval is recorded first, and refused if it cannot be recorded.
        onAnswering: (settled, who) => {
          const entry = settledEntry(settled, deps.redactor, who);
          if (settled.decision === 'deny') return deps.audit.record(entry);
          // The next server must know what people have approved.
          if (deps.policy.approvals === 'human') findSession(settled.request.sessionId)?.refuseWhileUnsaved();
          deps.audit.recordOrThrow(entry);
        },
        onSettled: (settled) => {
          const { request, decision, answeredBy } = settled;
          const { requestId, kind, askedAt } = request;
          this.#forms.onSettled(requestId);
          // All others were recorded when they were answered.
          if (decision !== 'allow' && !isAnswer(answeredBy))
            deps.audit.record(settledEntry(settled, deps.redactor));
          const ms = deps.clock.now() - askedAt;
          deps.meter.measure({ what: 'input_settled', kind, decision, answeredBy, ms });
          news.settled(settled);
        },
      },
    });
    this.#forms = new FormApprovals({
      ...deps,
      broker: this.broker,
      originOf: (id) => findSession(id)?.view.forPeople() ?? { session: id.slice(0, 8), folder: undefined },
      onNobody: ({ sessionId, shown }) =>
        findSession(sessionId)?.note(`Nobody answered the form about ${toolLabel(shown.toolName)}`),
    });
    this.bypass = new BypassSwitch({
      ...deps,
      standingOf: (caller) => this.standingOf(caller),
      onAnswered: (clientKey) => this.#forms.noteAnswer(clientKey),
      onEnded: onBypassEnded,
    });
  }

  get logger(): Logger {
    return this.#deps.logger;
  }

  /** Masks what approvers read. */
  get redactor(): Redactor {
    return this.#deps.redactor;
  }

  /** Called before a session gets a prompt. A fork continues the conversation of its parent. */
  notePrompt(sessionId: string, caller: Caller, forkOf = sessionId): void {
    const callers = new Map([...this.#promptersOf(sessionId), ...this.#promptersOf(forkOf)]);
    // A client may show forms on one connection, or in one request, and not in another.
    const key = `${clientKeyOf(caller)} ${mayAnswer(caller)} ${caller.canAskPerson}`;
    this.#promptedBy.set(sessionId, callers.set(key, caller));
    if (caller.device !== undefined) this.#hasPersonOnPage = true;
  }

  /**
   * What counts for a session: the narrowest of those who have prompted it. That another caller watches it, answers, or
   * uses another session must not widen it.
   */
  standingIn(sessionId: string): CallerStanding {
    return narrowest([...this.#promptersOf(sessionId).values()].map((caller) => this.standingOf(caller)));
  }

  /** What counts for a change of a session by this caller. A person decides for themselves. */
  standingOn(sessionId: string, caller: Caller): CallerStanding {
    const own = this.standingOf(caller);
    return own.isPerson === true ? own : { ...own, ...narrowest([own, this.standingIn(sessionId)]) };
  }

  #promptersOf(sessionId: string): ReadonlyMap<string, Caller> {
    return this.#promptedBy.get(sessionId) ?? new Map<string, Caller>();
  }

  standingOf(caller: Caller): CallerStanding {
    const clientKey = clientKeyOf(caller);
    return {
      canAskPerson: caller.canAskPerson && !this.isUnattended(caller),
      hasPerson: this.#hasPersonOnPage || this.#forms.hasAnswered(clientKey),
      lacksApproveScope: !mayAnswer(caller),
      isPerson: caller.device !== undefined,
      bypass: this.bypass.consentOf(clientKey),
    };
  }

  /** Whether the client can show forms, but dismisses them by itself. */
  isUnattended(caller: Caller): boolean {
    return this.#forms.isUnattended(clientKeyOf(caller));
  }

  /** How this caller may answer requests. */
  rightsOf(caller: Caller): AnswerRights {
    if (!mayAnswer(caller)) return 'none';
    if (this.mayApprove(caller))
      return mayAskPerson(this.#deps.policy, this.standingOf(caller)) ? 'once' : 'all';
    return caller.canAskPerson ? 'deny' : 'deny_without_form';
  }

  /** Whether this caller may do more than deny. */
  mayApprove(caller: Caller): boolean {
    return !isPersonNeeded(this.#deps.policy, this.standingOf(caller));
  }

  /** Whether a person sees the request now, or has settled it: a waiting caller need not hear about it. */
  isHandled(requestId: string): boolean {
    return this.#forms.isHandled(requestId);
  }

  /** The open request with this id, or whose id begins like this; throws if it is settled, unknown, or belongs to another session. */
  openRequest(requestId: string, sessionId?: SessionId): InputRequest {
    const request = this.broker.find(this.broker.complete(requestId));
    if (sessionId === undefined || request.sessionId === sessionId) return request;
    throw new AppError('request_of_other_session', { requestId });
  }

  /** The open requests of the session whose id begins like this, or of all sessions, for a caller who named none. */
  openRequests(start = ''): readonly NamedRequest[] {
    return this.broker
      .openFor()
      .filter(({ sessionId }) => sessionId.startsWith(start))
      .slice(0, maxNamedRequests)
      .map(({ requestId, shown }) => ({
        requestId,
        summary: quoteCode(`${shown.toolName}: ${tellingText(shown.toolName, shown.input)}`, 80),
      }));
  }

  /** Settles an open request on behalf of a caller. An answer that does not fit settles nothing. */
  async answer(
    session: Pick<SessionView, 'options'>,
    request: InputRequest,
    given: CallerAnswer,
    caller: Caller,
  ): Promise<void> {
    refuseWithoutScope(caller);
    const updates = this.#check(session, request, given, caller);
    if (given.updatedInput !== undefined) refuseEditAround(request.toolName, await this.#denyRules(session));
    const realUpdates = updates && (await this.#realUpdates(updates));
    // A person may have answered another request in the meantime.
    this.#check(session, request, given, caller);
    const { updatedPermissions: _checked, ...rest } = given;
    const answer = buildAnswer(request, { ...rest, updates: realUpdates });
    if (given.decision === 'allow') refuseUnanswered(request, given);
    this.broker.answer(request.requestId, answer, 'caller', callerFields(caller));
  }

  /** Refuses what this caller may not answer now. Returns the changes of permissions that it requests. */
  #check(
    { options }: Pick<SessionView, 'options'>,
    request: InputRequest,
    given: CallerAnswer,
    caller: Caller,
  ): readonly PermissionUpdate[] | undefined {
    const { policy } = this.#deps;
    const standing = this.standingOf(caller);
    // That another caller answers must not widen the session.
    const lasting = this.standingOn(request.sessionId, caller);
    const { decision, nextMode, updatedPermissions } = given;
    if (decision !== 'deny')
      refuseApproval(
        { kind: request.kind, answerAt: this.#answerAt(request, standing) },
        policy,
        standing,
        this.#forms.stateOf(request, clientKeyOf(caller)),
      );
    if (decision === 'allow_for_session') refuseLasting(policy, lasting);
    if (nextMode !== undefined) refuseNextMode(nextMode, policy, lasting);
    return updatedPermissions && this.#checkUpdates(updatedPermissions, options, lasting);
  }

  /** With `auto`, a request names the page only if nothing else reaches the person. */
  #answerAt({ requestId, answerAt }: InputRequest, { canAskPerson }: CallerStanding): string | undefined {
    return answerAt ?? (canAskPerson ? undefined : this.#deps.page.linkTo(requestId));
  }

  /**
   * Settles an open request on behalf of a person who read it whole. Their answer counts wherever a person's does, but
   * the settings of the operator limit it like that of a caller.
   */
  async answerByPerson(
    session: Pick<SessionView, 'options'>,
    request: InputRequest,
    given: Omit<GivenAnswer, 'updates'>,
    person: Caller,
  ): Promise<void> {
    if (given.nextMode !== undefined)
      refuseNextMode(given.nextMode, this.#deps.policy, this.standingOf(person));
    if (given.updatedInput !== undefined || given.plan !== undefined) {
      refuseUnreadEdit(request);
      refuseEditAround(request.toolName, await this.#denyRules(session));
    }
    const answer = buildAnswer(request, given);
    if (given.decision === 'allow') refuseUnanswered(request, given);
    this.#hasPersonOnPage = true;
    this.#forms.settleBy(request.requestId, () =>
      this.broker.answer(request.requestId, answer, 'page', callerFields(person)),
    );
  }

  /** The modes that this person may choose to follow an approved plan. */
  nextModes(person: Caller): readonly PermissionMode[] {
    return nextModes(this.#deps.policy, this.standingOf(person));
  }

  /** Returns the form for the person behind this caller; undefined if they already had it. */
  handOver(request: InputRequest, caller: Caller): HandedForm | undefined {
    return this.#forms.handOver(request, clientKeyOf(caller), showingOf(caller));
  }

  canHandOver(request: InputRequest, caller: Caller): boolean {
    return this.#forms.canHandOver(request, clientKeyOf(caller), showingOf(caller));
  }

  /** A new call may show the form again: the person may only have been away the first time. */
  askAgain(
    requests: readonly InputRequest[],
    caller: Caller,
    options: { readonly isPatient: boolean },
  ): void {
    if ((!caller.canAskPerson && caller.canOpenPage !== true) || this.mayApprove(caller)) return;
    for (const request of requests) this.#forms.askAgain(request, clientKeyOf(caller), options);
  }

  /** The reply to a form. Without the time at which this caller got it, only the right to answer is checked. */
  takeBack(requestId: string, caller: Caller, reply: FormReply, askedAt: number | undefined): void {
    refuseWithoutScope(caller);
    if (askedAt === undefined) return;
    this.#forms.takeBack(requestId, callerFields(caller), reply, askedAt);
  }

  /** Also those that the session has not loaded: an edit must not get around them either. */
  async #denyRules({ options }: Pick<SessionView, 'options'>): Promise<readonly string[]> {
    const { cwd, disallowedTools = [] } = options;
    const { managed, user, project, local } = await readPermissionRules(this.#deps.folders.claudeHome, cwd);
    return [...disallowedTools, ...joinRules([managed, user, project, local]).deny];
  }

  #checkUpdates(
    requested: readonly unknown[],
    options: SessionView['options'],
    standing: CallerStanding,
  ): readonly PermissionUpdate[] {
    const { policy, folders } = this.#deps;
    const bounds = isReadingBounded(policy, folders.bounds, standing) ? foldersOf(options) : undefined;
    const updates = resolvePermissionUpdates(requested, policy, standing, bounds);
    refuseTooManyDenied(options.disallowedTools, updates);
    return updates;
  }

  #realUpdates(updates: readonly PermissionUpdate[]): Promise<PermissionUpdate[]> {
    const { folders } = this.#deps;
    return Promise.all(
      updates.map(async (update) => {
        if (update.type !== 'addDirectories') return update;
        const directories = await realFolders(update.directories, folders);
        if (await areTrusted(directories, folders)) return { ...update, directories };
        const languagePlugins = await readLanguagePlugins(folders.claudeHome);
        return { ...update, directories, isUntrusted: true, languagePlugins };
      }),
    );
  }
}

function narrowest(standings: readonly CallerStanding[]): CallerStanding {
  return {
    canAskPerson: standings.some(({ canAskPerson }) => canAskPerson),
    hasPerson: standings.some(({ hasPerson }) => hasPerson),
    lacksApproveScope: standings.some(({ lacksApproveScope }) => lacksApproveScope),
  };
}

function showingOf({ canAskPerson, canOpenPage = false }: Caller): Showing {
  return { showForms: canAskPerson, openPages: canOpenPage };
}
