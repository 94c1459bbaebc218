import type { Audit } from '../core/audit.js';
import type { Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError, messageOf } from '../core/errors.js';
import { oneLine } from '../core/escape.js';
import type { Approver } from '../core/forms.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { InputRequest } from '../core/inputs.js';
import type { Logger } from '../core/logger.js';
import { sessionOptions, type EffectiveOptions, type RequestedOptions } from '../core/options/index.js';
import type { Redactor } from '../core/redactor.js';
import { initialState, type SessionState } from '../core/session-state.js';
import { EventLog, type LogLimits } from '../events/event-log.js';
import { checkedBefore, type Standing } from '../policy/approvals.js';
import { resolveOptions } from '../policy/resolve-options.js';
import type { PolicySettings } from '../policy/settings.js';
import { Approvals, refuseOtherSession } from './approvals.js';
import { callerSecrets } from './caller-secrets.js';
import { Conversation, type ConversationSettings } from './conversation.js';
import type { EngineDependencies } from './engine.js';
import { gatherFacts, type FolderSettings } from './folder-facts.js';
import type { RecordStore, SessionRecord } from './record-store.js';
import { Session, type SessionSeed, type WhenBusy } from './session.js';
import type { TurnChanges } from './turn-loop.js';
import { noTotals } from './totals.js';

export interface ManagerDependencies extends Omit<EngineDependencies, 'clock'> {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly redactor: Redactor;
  readonly approvers: ReadonlySet<Approver>;
  readonly records: RecordStore;
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

export interface ReplyOptions extends TurnChanges {
  readonly forkSession: boolean;
  readonly whenBusy: WhenBusy;
}

/** All sessions of this server: found, made, resumed, forked, cleaned up and ended here. */
export class SessionManager {
  readonly #deps: ManagerDependencies;
  readonly #sessions = new Map<SessionId, Session>();
  readonly approvals: Approvals;
  #stopCleanup: () => void;
  #isClosing = false;

  constructor(deps: ManagerDependencies) {
    this.#deps = deps;
    this.approvals = new Approvals(deps, {
      nameOf: (id) => this.#nameOf(id),
      onNobody: ({ sessionId, shown }) =>
        this.#sessions.get(sessionId as SessionId)?.note(`Nobody answered the form about ${shown.toolName}`),
    });
    this.#stopCleanup = this.#scheduleCleanup();
  }

  get clock(): Clock {
    return this.#deps.clock;
  }

  async start(prompt: string, requested: RequestedOptions, caller: Caller): Promise<Session> {
    const options = await this.#resolve(requested, this.approvals.standingOf(caller));
    const session = this.#create({ options, forkOf: undefined });
    return this.#launch(session, prompt);
  }

  async reply(id: SessionId, prompt: string, options: ReplyOptions): Promise<Session> {
    this.#refuseWhileClosing();
    const session = await this.find(id);
    if (options.forkSession) return this.#fork(session, prompt, options);
    await session.reply(prompt, options.whenBusy, {
      ...options,
      options: await this.#optionsForResume(session),
    });
    return session;
  }

  /** In memory, or by its record on disk. */
  async find(id: SessionId): Promise<Session> {
    const known = this.#sessions.get(id);
    known?.touch();
    if (known !== undefined) return known;
    const record = await this.#deps.records.load(id);
    // Two calls may have read the record at the same time: there must be one Session only.
    const session = this.#sessions.get(id) ?? (record && this.#restore(id, record));
    if (session === undefined) {
      throw new AppError('SESSION_NOT_FOUND', `no session ${id} is known here`, {
        hint: 'Call claude_code_session with action "list", or start a new one with claude_code.',
      });
    }
    this.#sessions.set(id, session);
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

  /** Ends every process, in parallel, and writes what must be written. */
  async shutdown(): Promise<void> {
    this.#isClosing = true;
    this.#deps.slots.isClosed = true;
    this.#stopCleanup();
    await Promise.allSettled(this.list().map((session) => session.shutdown()));
    await this.#deps.records.flush();
  }

  async #fork(parent: Session, prompt: string, changes: TurnChanges): Promise<Session> {
    if (!(await parent.conversation.exists())) {
      throw new AppError('INVALID_ARGUMENT', `session ${parent.id} has nothing on disk to fork`, {
        hint: 'Start a new session with claude_code.',
      });
    }
    const { maxTurns, maxBudgetUsd, timeoutMs } = { ...parent.options, ...withoutUndefined(changes) };
    const options = {
      ...(await this.#resolve(pickRequested(parent.options), checkedBefore)),
      maxTurns,
      maxBudgetUsd,
      timeoutMs,
    };
    const session = this.#create({
      options,
      forkOf: parent.conversation.claudeSessionId,
      grants: parent.grants,
    });
    return this.#launch(session, prompt);
  }

  async #launch(session: Session, prompt: string): Promise<Session> {
    this.#refuseWhileClosing();
    this.#sessions.set(session.id, session);
    try {
      await session.start(prompt);
    } catch (error) {
      this.#sessions.delete(session.id);
      await this.#deps.records.remove(session.id);
      throw error;
    }
    return session;
  }

  #refuseWhileClosing(): void {
    if (this.#isClosing)
      throw new AppError('CANCELLED', 'the server is shutting down', { hint: 'Connect again.' });
  }

  async #resolve(requested: RequestedOptions, standing: Standing): Promise<EffectiveOptions> {
    const { folders, policy, redactor } = this.#deps;
    // Before anything can refuse it, and say why.
    redactor.learn(callerSecrets(requested));
    return resolveOptions({ requested, facts: await gatherFacts(requested, folders), policy, standing });
  }

  #nameOf(id: string): string {
    const { title, options } = this.#sessions.get(id as SessionId) ?? {};
    const cwd = options?.cwd;
    const name = title === undefined ? '' : ` "${oneLine(title, 80).replaceAll('"', "'")}"`;
    return `session${name} ${id.slice(0, 8)}${cwd === undefined ? '' : `, folder ${oneLine(cwd, 200)}`}`;
  }

  #create(seed: Pick<SessionSeed, 'options' | 'forkOf' | 'grants'>): Session {
    const id = this.#deps.ids.uuid() as SessionId;
    return this.#build({
      id,
      createdAt: this.#deps.clock.now(),
      state: initialState,
      turn: 0,
      totals: noTotals,
      conversation: new Conversation(id, seed.options.cwd, this.#deps.conversations),
      ...seed,
    });
  }

  /** What was allowed when it started may not be allowed now, and its folder may be gone. */
  async #optionsForResume(session: Session): Promise<EffectiveOptions | undefined> {
    if (session.isLive) return undefined;
    const record = await this.#deps.records.load(session.id);
    if (record?.status === 'cancelled') await session.cancel();
    return this.#resolve(pickRequested(session.options), checkedBefore);
  }

  #restore(id: SessionId, record: SessionRecord): Session {
    return this.#build({
      id,
      createdAt: record.createdAt,
      state: restoredState(record),
      turn: record.turn,
      totals: record.totals,
      grants: record.grants,
      options: record.options,
      conversation: new Conversation(
        record.claudeSessionId,
        record.options.cwd,
        this.#deps.conversations,
        record.totals.turns > 0,
      ),
      forkOf: undefined,
      isRestored: true,
    });
  }

  #build(seed: Omit<SessionSeed, 'log'>): Session {
    const { limits } = this.#deps;
    return new Session(
      { ...seed, log: new EventLog(limits.log) },
      {
        ...this.#deps,
        broker: this.approvals.broker,
        isHumanOnly: this.#deps.policy.approvals === 'human',
        longestRunMs: limits.longestRunMs,
        interruptOnTimeout: limits.interruptOnTimeout,
        onChanged: (session) => this.#onChanged(session),
      },
    );
  }

  #onChanged(session: Session): void {
    this.#shedLogs();
    if (!session.options.persistSession) return;
    this.#deps.records.save(toRecord(session, this.#deps.clock.now())).catch((error: unknown) => {
      this.#deps.logger.log('error', 'the session record could not be written', {
        sessionId: session.id,
        reason: messageOf(error),
      });
    });
  }

  /** Oldest idle sessions give up their events first; what is pinned stays. */
  #shedLogs(): void {
    let bytes = this.list().reduce((sum, session) => sum + session.log.bytes, 0);
    for (const session of this.list().toReversed()) {
      if (bytes <= this.#deps.limits.allLogsBytes) return;
      if (!session.isAtRest) continue;
      bytes -= session.log.bytes;
      session.log.shed();
      bytes += session.log.bytes;
    }
  }

  #scheduleCleanup(): () => void {
    return this.#deps.clock.after(this.#deps.limits.cleanupIntervalMs, () => {
      this.#cleanUp();
      this.#stopCleanup = this.#scheduleCleanup();
    });
  }

  #cleanUp(): void {
    const before = this.#deps.clock.now() - this.#deps.limits.sessionTtlMs;
    for (const session of this.list()) {
      if (!session.isForgettable || session.lastUsedAt >= before) continue;
      this.#sessions.delete(session.id);
      void session.shutdown();
    }
  }
}

function toRecord(session: Session, now: number): SessionRecord {
  const { status, outcome } = session.state;
  return {
    version: 1,
    sessionId: session.id,
    claudeSessionId: session.conversation.claudeSessionId,
    createdAt: session.createdAt,
    updatedAt: now,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    turn: session.turnNumber,
    totals: session.totals,
    grants: session.grants,
    options: session.options,
  };
}

/** A turn that was running when the server ended was interrupted by that. */
function restoredState({ status, outcome }: SessionRecord): SessionState {
  if (status === 'running' || status === 'waiting') return { status: 'idle', outcome: 'interrupted' };
  return { status, outcome };
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function pickRequested(options: EffectiveOptions): RequestedOptions {
  return Object.fromEntries(Object.entries(options).filter(([key]) => Object.hasOwn(sessionOptions, key)));
}
