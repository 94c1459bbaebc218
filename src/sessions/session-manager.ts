import type { Audit } from '../core/observability/audit.js';
import type { Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError, messageOf } from '../core/errors.js';
import type { Approver } from '../core/forms.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { Logger } from '../core/observability/logger.js';
import type { RequestedOptions } from '../core/options/index.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { TurnReport } from '../core/session/turn-result.js';
import type { LogLimits } from '../events/event-log.js';
import { readRules } from '../history/user-settings.js';
import { isBounded, refuseUpdates } from '../policy/abilities.js';
import { isWithinRoots } from '../policy/folders.js';
import type { PolicySettings } from '../policy/settings.js';
import { Adoption } from './adoption.js';
import { promptEntry, turnEntry } from '../session/report/audit-entries.js';
import { Approvals, refuseOtherSession, type CallerAnswer } from './approvals.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import type { SupervisorDependencies } from '../session/process/process-supervisor.js';
import type { FolderSettings } from './options/folder-facts.js';
import { Housekeeper } from './housekeeper.js';
import { OptionResolver, withoutUndefined } from './options/option-resolver.js';
import { measureUsage } from '../session/process/measured-backend.js';
import type { BudgetStore } from '../state/budget-store.js';
import type { RecordStore } from '../state/record-store.js';
import type { ReplyOptions } from './reply-options.js';
import type { ResumeTokens } from './resume-tokens.js';
import type { Session } from '../session/session.js';
import { sessionNotFound } from './session-not-found.js';
import { SessionControls } from './session-controls.js';
import { SessionList } from './session-list.js';
import { SessionFactory } from './session-factory.js';
import { nameOf } from './session-name.js';
import { toRecord } from './to-record.js';
import type { TurnChanges } from '../session/turn/turn.js';
import type { UsageLedger } from '../state/usage-ledger.js';

export interface ManagerDependencies extends Omit<SupervisorDependencies, 'clock'> {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly redactor: Redactor;
  readonly approvers: ReadonlySet<Approver>;
  readonly records: RecordStore;
  readonly ledger: UsageLedger;
  readonly pots: BudgetStore;
  readonly tokens: ResumeTokens;
  readonly conversations: ConversationSettings;
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly limits: {
    readonly log: LogLimits;
    readonly allLogsBytes: number;
    readonly longestRunMs: number;
    readonly interruptOnTimeout: boolean;
    /** An idle session leaves memory after this; its record stays. */
    readonly sessionTtlMs: number;
    readonly cleanupIntervalMs: number;
  };
}

/** All sessions of this server: found, made, resumed, forked, cleaned up and ended here. */
export class SessionManager {
  readonly #deps: ManagerDependencies;
  readonly #sessions = new Map<SessionId, Session>();
  readonly #factory: SessionFactory;
  readonly #options: OptionResolver;
  readonly #adoption: Adoption;
  readonly approvals: Approvals;
  readonly #housekeeper: Housekeeper;
  readonly controls: SessionControls;
  readonly catalogue: SessionList;
  #isClosing = false;

  constructor(deps: ManagerDependencies) {
    this.#deps = deps;
    this.#options = new OptionResolver(deps);
    this.catalogue = new SessionList(deps, () => this.list());
    this.approvals = new Approvals(deps, {
      nameOf: (id) => nameOf(id, this.#sessions.get(id as SessionId)),
      onNobody: ({ sessionId, shown }) =>
        this.#sessions.get(sessionId as SessionId)?.note(`Nobody answered the form about ${shown.toolName}`),
    });
    this.#factory = new SessionFactory({
      conversations: deps.conversations,
      pots: deps.pots,
      log: deps.limits.log,
      session: {
        ...deps,
        ...deps.limits,
        broker: this.approvals.broker,
        isHumanOnly: deps.policy.approvals === 'human',
        isReadingBounded: isBounded(deps.policy, deps.folders.bounds),
        day: deps.ledger,
        onChanged: (session) => this.#onChanged(session),
        onSpent: (session, report) => this.#onSpent(session, report),
      },
    });
    this.#adoption = new Adoption({ ...deps, options: this.#options, factory: this.#factory });
    this.#housekeeper = new Housekeeper({
      ...deps.limits,
      clock: deps.clock,
      list: () => this.list(),
      forget: (id) => this.#sessions.delete(id),
    });
    this.controls = new SessionControls({
      ...deps,
      options: this.#options,
      approvals: this.approvals,
      find: async (id) => this.#refreshed(await this.find(id)),
      findIfKnown: (id) => this.findIfKnown(id),
    });
  }

  get clock(): Clock {
    return this.#deps.clock;
  }

  /** `prepare` gets the session before anything happens in it, to listen from the first message on. */
  async start(
    prompt: string,
    requested: RequestedOptions,
    caller: Caller,
    prepare?: (session: Session) => void,
  ): Promise<Session> {
    const options = await this.#options.resolve(requested, this.approvals.standingOf(caller));
    await this.#refuseSpentDay();
    const session = this.#factory.create(options);
    prepare?.(session);
    return this.#launch(session, prompt, caller);
  }

  async reply(id: SessionId, prompt: string, options: ReplyOptions, caller: Caller): Promise<Session> {
    this.#refuseWhileClosing();
    const { forkSession, whenBusy, timeoutMs, diskResumeConfig = {} } = options;
    this.#options.refuseOverCap(options);
    const session =
      (await this.findIfKnown(id)) ??
      (await this.#adoption.adopt(id, options, this.approvals.standingOf(caller)));
    await this.#refuseSpentDay();
    const { resumeSessionAt: resumeAt, ...changes } = diskResumeConfig;
    const { maxTurns = changes.maxTurns, maxBudgetUsd = changes.maxBudgetUsd } = options;
    const limits = { maxTurns, maxBudgetUsd, timeoutMs };
    await this.#refreshed(session);
    const effective = await this.#options.forReply(
      session,
      { changes, limits },
      this.approvals.standingOf(caller),
    );
    if (forkSession) return this.#fork(session, prompt, { ...limits, options: effective, resumeAt }, caller);
    if (changes.permissionMode === 'bypassPermissions') this.#options.refuseLateBypass(session);
    const isLimited = Object.values(limits).some((limit) => limit !== undefined);
    if (whenBusy === 'steer' && (isLimited || options.diskResumeConfig !== undefined)) {
      throw new AppError('steer_with_options');
    }
    session.refuseReply(whenBusy);
    this.#deps.audit.recordOrThrow(promptEntry(session, { prompt, options: effective }, caller));
    await session.reply(prompt, whenBusy, { ...limits, options: effective, resumeAt }, caller.trace);
    session.withheld = session.withheld.filter((key) => changes[key] === undefined);
    // Only now: a reply that was refused must not have made it known.
    this.#sessions.set(session.id, session);
    return session;
  }

  /** In memory, or by its record on disk. */
  async find(id: SessionId): Promise<Session> {
    const session = await this.findIfKnown(id);
    if (session === undefined) throw sessionNotFound(id);
    return session;
  }

  /** Most recently used first. */
  list(): readonly Session[] {
    return [...this.#sessions.values()].toSorted((a, b) => b.lastUsedAt - a.lastUsedAt);
  }

  /** The open request with this id; throws when it is settled, unknown, or that of another session. */
  openInput(requestId: string, sessionId?: SessionId): InputRequest {
    const request = this.approvals.broker.find(requestId);
    refuseOtherSession(request, sessionId);
    return request;
  }

  /** Settles an open request of the session on behalf of a caller. */
  async answer(session: Session, request: InputRequest, given: CallerAnswer, caller: Caller): Promise<void> {
    const { backend, policy, folders, conversations } = this.#deps;
    const { cwd, settingSources, disallowedTools = [] } = session.options;
    if (given.updatedPermissions !== undefined) {
      refuseUpdates(request.kind, backend, session.options, isBounded(policy, folders.bounds));
    }
    await this.approvals.answer(request, given, caller, async () => [
      ...disallowedTools,
      ...(await readRules('deny', conversations.claudeHome, cwd, settingSources)),
    ]);
  }

  /** For the caller that has begun the session; undefined when the operator signs none. */
  resumeTokenOf({ id }: Session): string | undefined {
    return this.#deps.tokens.issue(id);
  }

  /** Ends every process, in parallel, and writes what must be written. */
  async shutdown(): Promise<void> {
    this.#isClosing = true;
    this.#deps.slots.isClosed = true;
    this.#housekeeper.stop();
    await Promise.allSettled(this.list().map((session) => session.shutdown()));
    await this.#deps.records.flush();
    await this.#deps.ledger.flush();
    await this.#deps.pots.flush();
  }

  /** In memory or on record; undefined when it is neither. */
  async findIfKnown(anyId: SessionId): Promise<Session | undefined> {
    const { records } = this.#deps;
    // By Claude's own id it would pass for a foreign one, with a new budget and its limits forgotten.
    const id = this.#sessions.has(anyId) ? anyId : ((await records.findByClaudeId(anyId)) ?? anyId);
    const known = this.#sessions.get(id);
    known?.touch();
    if (known?.isAsRecorded === false) return known;
    const record = await records.load(id);
    // Unless another server has gone on with it since.
    if (known !== undefined && (record === undefined || record.updatedAt === known.recordedAt)) return known;
    // A folder that the operator has closed since is closed for its old sessions too.
    if (record === undefined || !isWithinRoots(record.options.cwd, this.#deps.folders.bounds))
      return undefined;
    const pot = await this.#deps.pots.open(record.potId ?? id, record.totals.costUsd);
    // Two calls may have read the record at the same time: there must be one Session only.
    const now = this.#sessions.get(id);
    const session = now === undefined || now === known ? this.#factory.restore(record, pot) : now;
    this.#sessions.set(id, session);
    return session;
  }

  /** Another server may have ended it meanwhile, or spent on a fork of it. */
  async #refreshed(session: Session): Promise<Session> {
    await session.pot.refresh();
    if (session.isLive) return session;
    const record = await this.#deps.records.load(session.id);
    if (record !== undefined) session.catchUp(record.totals);
    if (record?.status === 'cancelled') await session.cancel();
    return session;
  }

  async #fork(parent: Session, prompt: string, changes: TurnChanges, caller: Caller): Promise<Session> {
    if (!(await parent.conversation.exists())) {
      throw new AppError('nothing_to_fork', { sessionId: parent.id });
    }
    const { options: resolved, resumeAt, ...limits } = changes;
    const options = resolved ?? (await this.#options.again(parent, this.approvals.standingOf(caller)));
    const session = this.#factory.create(
      { ...options, ...withoutUndefined(limits) },
      {
        claudeSessionId: parent.conversation.claudeSessionId,
        grants: parent.grants,
        pot: parent.pot,
        at: resumeAt,
        withheld: parent.withheld.filter((key) => options[key] === undefined),
        isForeign: parent.isForeign,
      },
    );
    return this.#launch(session, prompt, caller, parent.id);
  }

  async #launch(session: Session, prompt: string, caller: Caller, forkOf?: string): Promise<Session> {
    this.#refuseWhileClosing();
    this.#deps.audit.recordOrThrow(
      promptEntry(session, { prompt, options: session.options, forkOf }, caller),
    );
    this.#sessions.set(session.id, session);
    try {
      await session.start(prompt, caller.trace);
    } catch (error) {
      this.#sessions.delete(session.id);
      await this.#deps.records.remove(session.id);
      throw error;
    }
    return session;
  }

  #refuseWhileClosing(): void {
    if (this.#isClosing) throw new AppError('shutting_down');
  }

  async #refuseSpentDay(): Promise<void> {
    await this.#deps.ledger.refresh();
    if ((this.#deps.ledger.leftUsd() ?? 1) > 0) return;
    throw new AppError('day_budget_spent');
  }

  #onSpent(session: Session, report: TurnReport): void {
    const { id, options } = session;
    const { costUsd, numTurns, modelUsage, isEstimate } = report;
    this.#deps.audit.record(turnEntry(session, report));
    // What a backend has told is measured there.
    if (isEstimate) measureUsage(report, this.#deps.meter);
    // A session that leaves nothing on disk leaves only what it cost.
    const whose = options.persistSession ? { sessionId: id, cwd: options.cwd } : { sessionId: '', cwd: '' };
    this.#deps.ledger.add({ ...whose, costUsd, turns: numTurns, modelUsage });
  }

  #onChanged(session: Session): void {
    this.#housekeeper.shedLogs();
    if (!session.options.persistSession) return;
    this.#deps.records.save(toRecord(session, this.#deps.clock.now())).catch((error: unknown) => {
      this.#deps.logger.log('error', 'the session record could not be written', {
        sessionId: session.id,
        reason: messageOf(error),
      });
    });
  }
}
