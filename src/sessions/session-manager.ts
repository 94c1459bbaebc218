import type { Audit } from '../core/observability/audit.js';
import { clientKeyOf, type Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import type { AnswerPage, Approver } from '../core/forms.js';
import type { SessionId } from '../core/ids.js';
import type { EffectiveOptions, RequestedOptions } from '../core/options/index.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { LogLimits } from '../events/event-log.js';
import { Turns } from '../files/turns.js';
import type { CallerStanding } from '../policy/approvals.js';
import { isWithinRoots } from '../policy/folders.js';
import type { PolicySettings } from '../policy/settings.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import { promptEntry } from '../session/report/audit-entries.js';
import type { SessionLimits, SessionServices } from '../session/services/services.js';
import type { Session, Words } from '../session/session.js';
import { slowDiskMs, within } from '../session/services/within.js';
import { refuseUnjudged } from '../session/turn/turn-changes.js';
import type { BudgetStore } from '../state/money/budget-store.js';
import type { EventStore } from '../state/event-store.js';
import type { GrantSeal } from '../state/grant-seal.js';
import type { Pruner } from '../state/pruner.js';
import type { RecordStore } from '../state/record-store.js';
import type { Servers } from '../state/server-mark.js';
import type { UsageLedger } from '../state/money/usage-ledger.js';
import { Adoption } from './adoption.js';
import { Approvals } from './approvals.js';
import { BypassSessions } from './bypass-sessions.js';
import { isLatest, latestOf, mayBeBehind } from './records/freshness.js';
import { Housekeeper } from './housekeeper.js';
import { News } from './news.js';
import { PastRequests } from './records/past-requests.js';
import { Recovery } from './records/recovery.js';
import { SessionIds } from './records/session-ids.js';
import type { FolderSettings } from './options/folder-facts.js';
import { OptionResolver, withoutUndefined } from './options/option-resolver.js';
import {
  promptOf,
  refuseSteeringChanges,
  resumeAtOf,
  wordsOf,
  type Addressee,
  type GivenPrompt,
  type ReplyOptions,
  type ResolvedReply,
  type StartWishes,
} from './given-prompt.js';
import type { ResumeTokens } from './resume-tokens.js';
import { SessionControls } from './session-controls.js';
import { SessionFactory } from './session-factory.js';
import { SessionList } from './session-list.js';
import { SessionSaver } from './session-saver.js';
import { sessionServices } from './session-services.js';

export interface ManagerLimits extends SessionLimits {
  readonly log: LogLimits;
  readonly memoryBytes: number;
  /** An idle session is removed from memory after this time; its record stays. */
  readonly sessionTtlMs: number;
  readonly cleanupIntervalMs: number;
}

/** Dependencies of the collection, besides what each session needs. */
export interface ManagerServices extends Omit<
  SessionServices,
  'broker' | 'dayBudget' | 'approvalRules' | 'limits'
> {
  readonly audit: Audit;
  readonly approvers: ReadonlySet<Approver>;
  readonly page: AnswerPage;
  /** Called for each new event of a session. */
  readonly onEvent: (sessionId: SessionId) => void;
  readonly records: RecordStore;
  readonly events: EventStore;
  readonly seal: GrantSeal;
  readonly pruner: Pruner;
  readonly servers: Servers;
  /** This server, as other servers see it. */
  readonly server: string;
  readonly ledger: UsageLedger;
  readonly budgets: BudgetStore;
  readonly tokens: ResumeTokens;
  readonly conversations: ConversationSettings;
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly limits: ManagerLimits;
}

type HasMode = Pick<EffectiveOptions, 'permissionMode'>;
type LaunchWishes = Pick<StartWishes, 'enough'> & { readonly forkOf?: string };

/** All sessions of this server: finds, starts, resumes, forks and ends them. */
export class SessionManager {
  readonly approvals: Approvals;
  readonly controls: SessionControls;
  readonly saver: SessionSaver;
  readonly catalogue: SessionList;
  readonly ids: SessionIds;
  readonly news = new News();
  readonly #services: ManagerServices;
  readonly #sessions = new Map<SessionId, Session>();
  readonly #factory: SessionFactory;
  readonly #options: OptionResolver;
  readonly #recovery: Recovery;
  readonly #pastRequests: PastRequests;
  readonly #adoption: Adoption;
  readonly #housekeeper: Housekeeper;
  readonly #bypass = new BypassSessions();
  readonly #attaching = new Turns(4);
  #isClosing = false;

  constructor(services: ManagerServices) {
    this.#services = services;
    const shared = { ...services, news: this.news };
    this.#options = new OptionResolver(services);
    this.catalogue = new SessionList(services, () => latestOf(this.list(), services.records));
    this.ids = new SessionIds(services.records, () => this.#sessions.values());
    this.approvals = new Approvals(
      services,
      (id) => this.#sessions.get(id as SessionId),
      (clientKey) => this.#bypass.end(clientKey, (id) => this.#sessions.get(id)),
      this.news,
    );
    this.saver = new SessionSaver({ ...shared, onChanged: () => this.#housekeeper.shed() });
    this.#recovery = new Recovery({ ...services, ...services.conversations });
    this.#pastRequests = new PastRequests(services);
    this.#factory = new SessionFactory(shared, sessionServices(services, this.approvals), this.saver);
    this.#adoption = new Adoption(services, this.#options, this.#factory);
    this.#housekeeper = new Housekeeper({
      ...services.limits,
      clock: services.clock,
      list: () => this.list(),
      isUnsaved: ({ id }) => this.saver.hasFailed(id),
      forget: (session) => this.#forget(session),
      prune: () => void services.pruner.pruneIfDue((id) => this.#sessions.has(id as SessionId)),
    });
    this.controls = new SessionControls({
      ...services,
      options: this.#options,
      approvals: this.approvals,
      find: async (id) => this.#refreshed(await this.find(id)),
      findIfKnown: (id) => this.findIfKnown(id),
      listedOrigin: (id) => this.#adoption.listedOrigin(id),
      onMode: (id, permissionMode, caller) => this.#noteBypass(id, { permissionMode }, caller),
    });
    services.conversations.locks.onAsked((claudeSessionId) => this.#giveUp(claudeSessionId));
  }

  get clock(): Clock {
    return this.#services.clock;
  }

  /** Starts a session. */
  async start(
    given: string | GivenPrompt,
    requested: RequestedOptions,
    caller: Caller,
    { prepare, enough }: StartWishes = {},
  ): Promise<Session> {
    const standing = this.approvals.standingOf(caller);
    const options = await this.#options.resolve(requested, standing);
    await this.#services.ledger.refuseWhenSpent();
    const session = this.#factory.create(options, requested);
    const prompt = typeof given === 'string' ? { text: given } : given;
    const words = await this.#wordsOf(prompt, { session, options, caller });
    // A person has answered meanwhile, or a bypass has ended.
    if (this.#options.isOutdated(options, standing, this.approvals.standingOf(caller)))
      return this.start(given, requested, caller, { prepare, enough });
    prepare?.(session);
    return this.#launch(session, words, caller, { enough });
  }

  /** Continues a session, resuming or adopting it if necessary, or continues in a fork of it. */
  async reply(
    id: SessionId,
    given: string | undefined,
    options: ReplyOptions,
    caller: Caller,
  ): Promise<Session> {
    this.#refuseWhileClosing();
    this.#options.refuseOverCap(options);
    const session =
      (await this.findIfKnown(id)) ??
      (await this.#adoption.adopt(id, options, this.approvals.standingOf(caller)));
    await this.#services.ledger.refuseWhenSpent();
    await this.#refreshed(session);
    const prompt = promptOf(session.view, given, options);
    const { changes, narrowed, enough } = await this.#turnChanges(session, options, caller);
    if (options.forkSession) return this.#fork(session, prompt, { changes, narrowed, enough }, caller);
    this.#refuseMisfits(session, options);
    const inForce = changes.options ?? session.view.options;
    const words = await this.#wordsOf(prompt, { session, options: inForce, caller });
    session.refuseReply(options.whenBusy);
    this.#services.audit.recordOrThrow(
      promptEntry(session.view, { prompt: words, options: changes.options }, caller),
    );
    this.#noteBypass(session.id, inForce, caller);
    this.approvals.notePrompt(session.id, caller);
    // The turn that runs may do what this caller must not use. Claude Code would drop some files, and show the text of
    // others to the model as its own.
    const isForLater =
      options.whenBusy === 'steer' && (narrowed.length > 0 || words.attachments !== undefined);
    await session.reply(words, isForLater ? 'queue' : options.whenBusy, changes);
    session.noteRestored(options.diskResumeConfig ?? {}, narrowed);
    // Registered last: a refused reply must not make an adopted session known.
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Finds the request that a caller answers. `id`: the session to which it should belong, if the caller says so. */
  async openRequest(requestId: string, id: SessionId | undefined): Promise<InputRequest> {
    // An unknown session explains more than a request that is not open.
    const sessionId = id && (await this.find(id)).id;
    try {
      return this.approvals.openRequest(requestId, sessionId);
    } catch (error) {
      const isUnknown = error instanceof AppError && error.reason === 'request_unknown';
      throw (isUnknown && (await this.#pastRequests.explain(requestId, sessionId))) || error;
    }
  }

  /** Finds a session in memory or by its record; throws if there is neither. */
  async find(id: SessionId): Promise<Session> {
    const session = await this.findIfKnown(id);
    if (session !== undefined) return session;
    if ((await this.#adoption.listedOrigin(id)) === undefined)
      throw new AppError('session_unknown', { sessionId: id });
    throw new AppError('session_of_others', { sessionId: id, mayContinue: this.controls.mayAdopt(id) });
  }

  /** Finds a session to show it. It may be one that someone else started, if the operator lets callers list those. */
  async findToShow(id: SessionId): Promise<Session> {
    const session = (await this.findIfKnown(id)) ?? (await this.#adoption.show(id));
    if (session === undefined) throw new AppError('session_unknown', { sessionId: id });
    return session;
  }

  /** Finds a session in memory or by its record. */
  async findIfKnown(anyId: SessionId): Promise<Session | undefined> {
    const { records, folders, budgets } = this.#services;
    // Without this lookup, Claude's id would pass for a foreign session with a new budget and no limits.
    const id = this.#sessions.has(anyId) ? anyId : ((await records.findByClaudeId(anyId)) ?? anyId);
    const known = this.#sessions.get(id);
    known?.touch();
    if (known !== undefined && !(await mayBeBehind(known, records))) return known;
    const recovered = await this.#recovery.load(id);
    // The record is newer if another server has continued the session since.
    if (known !== undefined && isLatest(known, recovered, records)) return known;
    // If the operator has excluded a folder since, its old sessions are closed too.
    if (recovered === undefined || !isWithinRoots(recovered.record.options.cwd, folders.bounds))
      return undefined;
    const { record } = recovered;
    const budget = await budgets.open(record.potId ?? id);
    const lastResult = await this.#adoption.lastResultOf(record);
    // Two calls may have read the record concurrently, but there must be only one Session.
    const now = this.#sessions.get(id);
    if (now !== undefined && now !== known) return now;
    const session = this.#factory.restore(recovered, budget, lastResult);
    records.continueFrom(record);
    this.#sessions.set(id, session);
    this.#housekeeper.shed();
    return session;
  }

  /** Most recently used first. */
  list(): readonly Session[] {
    return [...this.#sessions.values()].toSorted((a, b) => b.view.lastUsedAt - a.view.lastUsedAt);
  }

  /** The token for the caller that started the session; undefined if the operator set no secret. */
  resumeTokenOf({ id }: Session): string | undefined {
    return this.#services.tokens.issue(id);
  }

  /** Waits until pending writes, of all sessions or of one, are on disk, have failed, or take too long. False if one is not. */
  async saved(sessionId?: string): Promise<boolean> {
    const { records, events, clock } = this.#services;
    const recorded = sessionId === undefined ? records.flush() : records.flushFor(sessionId);
    const flushed = Promise.all([this.saver.retry(), recorded, events.flush(sessionId)]);
    await within(slowDiskMs, clock, flushed).catch(() => undefined);
    return sessionId === undefined ? this.saver.isSaved : this.saver.problemOf(sessionId) === undefined;
  }

  /** Ends every process, in parallel, and waits until everything is on disk. */
  async shutdown(): Promise<void> {
    const { slots, spares, records, events, pruner } = this.#services;
    this.#isClosing = true;
    this.news.closing();
    slots.isClosed = true;
    this.#housekeeper.stop();
    this.approvals.bypass.close();
    await Promise.allSettled([spares?.close(), ...this.list().map((session) => session.shutdown())]);
    await records.flush();
    await events.close();
    await pruner.stop();
  }

  /** Another server wants to continue a session: its process is closed if it only rests here. */
  async #giveUp(claudeSessionId: string): Promise<void> {
    const session = this.list().find(({ view }) => view.claudeSessionId === claudeSessionId);
    await session?.closeIfIdle();
  }

  /** Resolves what a reply changes for its turn, within the policy. */
  async #turnChanges(session: Session, reply: ReplyOptions, caller: Caller): Promise<ResolvedReply> {
    const { maxTurns, maxBudgetUsd, timeoutMs, diskResumeConfig = {}, enough, whenBusy } = reply;
    const { resumeSessionAt: _at, ...changes } = diskResumeConfig;
    const limits = {
      maxTurns: maxTurns ?? changes.maxTurns ?? undefined,
      maxBudgetUsd: maxBudgetUsd ?? changes.maxBudgetUsd ?? undefined,
      timeoutMs,
    };
    const standingNow = (): CallerStanding => this.approvals.standingOf(caller);
    const { isLive, isRestored, options, optionsAhead } = session.view;
    const found = { isLive, isRestored, options, optionsAhead };
    const resolved = await this.#options.forTurn(found, { changes, limits, whenBusy }, standingNow);
    const resumeAt = resumeAtOf(session.view, reply);
    return { ...resolved, changes: { ...resolved.changes, resumeAt }, enough };
  }

  /** Refuses options that do not fit this session or this kind of reply. */
  #refuseMisfits({ view }: Session, options: ReplyOptions): void {
    const isBypassing = options.diskResumeConfig?.permissionMode === 'bypassPermissions';
    if (isBypassing) this.#options.refuseLateBypass(view);
    refuseSteeringChanges(options);
  }

  /** Updates a session with what other servers did: cancelled it, or spent on one of its forks. */
  async #refreshed(session: Session): Promise<Session> {
    await session.refreshBudget();
    if (session.view.isLive) return session;
    const record = await this.#services.records.load(session.id);
    if (record !== undefined) session.catchUp(record);
    if (record?.status === 'cancelled') await session.cancel();
    return session;
  }

  async #fork(
    parent: Session,
    prompt: GivenPrompt,
    { changes, narrowed, enough }: ResolvedReply,
    caller: Caller,
  ): Promise<Session> {
    if ((await parent.transcriptPath()) === undefined)
      throw new AppError('nothing_to_fork', { sessionId: parent.id });
    const { options: resolved, resumeAt, maxTurns, maxBudgetUsd, timeoutMs } = changes;
    const resumed =
      resolved === undefined
        ? await this.#options.again(parent.view, this.approvals.standingOf(caller))
        : { options: resolved, narrowed };
    const origin = parent.forkOrigin(resumeAt, resumed);
    const options = { ...resumed.options, ...withoutUndefined({ maxTurns, maxBudgetUsd, timeoutMs }) };
    const session = this.#factory.fork(options, origin);
    const words = await this.#wordsOf(prompt, { session, options, caller, of: parent.id });
    // Other servers must count what the fork spends before it spends anything.
    if (session.view.options.persistSession) await this.saver.noteFork(origin.budget.id, session.id);
    refuseUnjudged({ ...changes, judged: undefined }, parent.view);
    return this.#launch(session, words, caller, { forkOf: parent.id, enough });
  }

  #wordsOf(prompt: GivenPrompt, addressee: Addressee): Promise<Words> {
    const { approvals } = this;
    return wordsOf(prompt, addressee, { ...this.#services, approvals, attaching: this.#attaching });
  }

  async #launch(session: Session, words: Words, caller: Caller, how: LaunchWishes): Promise<Session> {
    const { forkOf, enough } = how;
    this.#refuseWhileClosing();
    const { options } = session.view;
    this.#services.audit.recordOrThrow(promptEntry(session.view, { prompt: words, options, forkOf }, caller));
    this.#sessions.set(session.id, session);
    this.#noteBypass(session.id, options, caller);
    this.approvals.notePrompt(session.id, caller, forkOf);
    try {
      await session.start(words, enough);
    } catch (error) {
      this.#forget(session);
      await this.saver.discard(session);
      throw error;
    }
    return session;
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id);
    this.#bypass.drop(session.id);
    this.saver.release(session);
  }

  /** Remembers whose consent a session relies on, unless the operator's settings are enough. */
  #noteBypass(id: SessionId, { permissionMode }: HasMode, caller: Caller): void {
    if (permissionMode === 'bypassPermissions' && !this.approvals.bypass.isGranted(caller))
      this.#bypass.note(id, clientKeyOf(caller));
  }

  #refuseWhileClosing(): void {
    if (this.#isClosing) throw new AppError('shutting_down');
  }
}
