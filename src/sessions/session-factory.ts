import type { SessionId } from '../core/ids.js';
import type { SessionEvent } from '../core/session/events.js';
import type { TurnResult } from '../core/session/turn-result.js';
import type { EffectiveOptions, RequestedOptions } from '../core/options/index.js';
import { initialState } from '../core/session/session-state.js';
import { EventLog, type LogLimits } from '../events/event-log.js';
import type { SessionOrigin } from '../history/session-origin.js';
import { noTotals } from '../session/budget/totals.js';
import { Conversation, type ConversationSettings } from '../session/process/conversation.js';
import type { ForkOrigin } from '../session/process/fork-origin.js';
import type { SessionServices } from '../session/services/services.js';
import { Session, type SessionOwner } from '../session/session.js';
import type { SessionSeed } from '../session/session-view.js';
import type { EventStore } from '../state/event-store.js';
import type { BudgetStore } from '../state/money/budget-store.js';
import type { GrantSeal } from '../state/grant-seal.js';
import type { SharedBudget } from '../state/money/shared-budget.js';
import type { SessionRecord } from '../state/record.js';
import type { News } from './news.js';
import type { Recovered } from './records/recovery.js';
import { unverifiedOptions } from './records/unverified-options.js';

export interface FactorySettings {
  readonly conversations: ConversationSettings;
  readonly budgets: BudgetStore;
  readonly events: EventStore;
  readonly seal: GrantSeal;
  readonly limits: { readonly log: LogLimits };
  /** Called for each new event of a session. */
  readonly onEvent: (sessionId: SessionId) => void;
  readonly news: Pick<News, 'changed'>;
}

const lostGrants =
  'Saved approvals could not be verified and were dropped: the same calls need approval again';
const lostOptions =
  'Saved options could not be verified, so the session continues in plan mode: pass the options again that it needs';

/** A result is news to every cursor, although its events are unknown. */
const uncountedEvents = { head: 1, uncounted: 1 } as const;

/** A fork, or the session of someone else: without its transcript, it would begin with nothing of what was said before. */
function isContinuation({ sessionId, potId = sessionId, isForeign = false }: SessionRecord): boolean {
  return potId !== sessionId || isForeign;
}

/** Creates sessions: new ones, forks, and those that exist only on disk. */
export class SessionFactory {
  readonly #settings: FactorySettings;
  readonly #services: SessionServices;
  readonly #owner: SessionOwner;

  constructor(settings: FactorySettings, services: SessionServices, owner: SessionOwner) {
    this.#settings = settings;
    this.#services = services;
    this.#owner = owner;
  }

  /** A new session, with what its caller requested. */
  create(options: EffectiveOptions, requested: RequestedOptions): Session {
    const { ids, spares } = this.#services;
    return this.#create(spares?.idFor(options, requested) ?? ids.uuid(), options);
  }

  fork(options: EffectiveOptions, forkOf: ForkOrigin): Session {
    return this.#create(this.#services.ids.uuid(), options, forkOf);
  }

  /** Restores a session that this server or an earlier one started. */
  restore(
    { record, elsewhere, events }: Recovered,
    budget: SharedBudget,
    lastResult: TurnResult | undefined,
  ): Session {
    const { claudeSessionId, totals, createdAt, turn, firstPrompt, cutTurn, forgotAfter } = record;
    const { conversations, seal } = this.#settings;
    const grants = seal.open(record);
    const { options, dropped } = seal.hasOwnOptions(record)
      ? { options: record.options, dropped: [] }
      : unverifiedOptions(record.options);
    return this.#build({
      id: record.sessionId as SessionId,
      createdAt,
      state: { status: record.status, outcome: record.outcome },
      lastResult,
      ...(record.cursor === undefined ? uncountedEvents : { head: record.cursor }),
      events,
      elsewhere,
      cutTurn,
      forgotAfter,
      kept: elsewhere === undefined ? record.queue : undefined,
      voided: record.voided,
      settled: record.settled,
      turn,
      totals,
      firstPrompt,
      grants,
      losses: [
        ...(grants === record.grants ? [] : [lostGrants]),
        ...(options === record.options ? [] : [lostOptions]),
      ],
      options,
      conversation: new Conversation(
        claudeSessionId,
        options.cwd,
        conversations,
        totals.turns > 0 || isContinuation(record) ? 'on disk' : 'unknown',
      ),
      isRestored: true,
      recordedAt: record.updatedAt,
      lastUsedAt: record.updatedAt,
      isForeign: record.isForeign,
      notRestored: [...new Set([...(record.withheld ?? []), ...dropped])],
      budget,
    });
  }

  /** Adopts a session that someone else started: its history stays Claude's, its totals begin at zero. */
  adopt(id: SessionId, options: EffectiveOptions, budget: SharedBudget): Session {
    return this.#build({
      id,
      createdAt: this.#services.clock.now(),
      state: { status: 'idle', outcome: undefined },
      options,
      conversation: new Conversation(id, options.cwd, this.#settings.conversations, 'on disk'),
      isRestored: true,
      isForeign: true,
      budget,
    });
  }

  /** A session that someone else started, only to be shown: it is not registered and never runs. */
  show(id: SessionId, { cwd, modifiedAt }: SessionOrigin, lastResult: TurnResult | undefined): Session {
    const { conversations, budgets } = this.#settings;
    const options: EffectiveOptions = {
      cwd,
      permissionMode: 'default',
      settingSources: [],
      projectSettings: 'as requested',
      permissionRequestTimeoutMs: 0,
      sessionInitTimeoutMs: 0,
      persistSession: true,
      notes: [],
    };
    return this.#build({
      id,
      createdAt: this.#services.clock.now(),
      state: { status: 'idle', outcome: undefined },
      lastResult,
      lastUsedAt: modifiedAt,
      ...uncountedEvents,
      options,
      conversation: new Conversation(id, cwd, conversations, 'on disk'),
      isRestored: true,
      isForeign: true,
      budget: budgets.create(id, false),
    });
  }

  #create(uuid: string, options: EffectiveOptions, forkOf?: ForkOrigin): Session {
    const { clock } = this.#services;
    const { conversations, budgets } = this.#settings;
    const id = uuid as SessionId;
    return this.#build({
      id,
      createdAt: clock.now(),
      conversation: new Conversation(id, options.cwd, conversations, 'none'),
      options,
      forkOf,
      grants: forkOf?.grants,
      notRestored: forkOf?.notRestored,
      isForeign: forkOf?.isForeign,
      budget: forkOf?.budget ?? budgets.create(id, options.persistSession),
    });
  }

  #build({
    head = 0,
    uncounted = 0,
    events = [],
    ...seed
  }: Omit<SessionSeed, 'log' | 'state' | 'turn' | 'totals'> &
    Partial<Pick<SessionSeed, 'state' | 'turn' | 'totals'>> & {
      /** How many events it has had. */
      readonly head?: number;
      readonly uncounted?: number;
      /** The last of them. */
      readonly events?: readonly SessionEvent[];
    }): Session {
    const log = new EventLog(this.#settings.limits.log, this.#services.meter, { head, uncounted, events });
    const beginning = { state: initialState, turn: 0, totals: noTotals };
    const { events: store, onEvent, news } = this.#settings;
    const { persistSession } = seed.options;
    const keep = ({ seq }: SessionEvent): void => {
      if (persistSession) store.keep(seed.id, log, seq);
      onEvent(seed.id);
    };
    const session = new Session({ ...beginning, ...seed, log, keep }, this.#services, this.#owner);
    session.subscribe(() => news.changed(seed.id));
    return session;
  }
}
