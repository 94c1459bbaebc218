import type { SessionId } from '../core/ids.js';
import type { EffectiveOptions } from '../core/options/index.js';
import { initialState, type SessionState } from '../core/session/session-state.js';
import { EventLog, type LogLimits } from '../events/event-log.js';
import { noTotals } from '../session/budget/totals.js';
import { Conversation, type ConversationSettings } from '../session/process/conversation.js';
import type { ForkOrigin } from '../session/process/fork-origin.js';
import type { SessionServices } from '../session/services/services.js';
import { Session, type SessionOwner } from '../session/session.js';
import type { SessionSeed } from '../session/session-view.js';
import type { BudgetStore } from '../state/budget-store.js';
import type { SessionRecord } from '../state/record-store.js';
import type { SharedBudget } from '../state/shared-budget.js';

export interface FactorySettings {
  readonly conversations: ConversationSettings;
  readonly budgets: BudgetStore;
  readonly limits: { readonly log: LogLimits };
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

  create(options: EffectiveOptions, forkOf?: ForkOrigin): Session {
    const { ids, clock } = this.#services;
    const { conversations, budgets } = this.#settings;
    const id = ids.uuid() as SessionId;
    return this.#build({
      id,
      createdAt: clock.now(),
      conversation: new Conversation(id, options.cwd, conversations),
      options,
      forkOf,
      grants: forkOf?.grants,
      notRestored: forkOf?.notRestored,
      isForeign: forkOf?.isForeign,
      budget: forkOf?.budget ?? budgets.create(id, options.persistSession),
    });
  }

  /** Restores a session that this server or an earlier one started. */
  restore(record: SessionRecord, budget: SharedBudget): Session {
    const { claudeSessionId, totals, options, createdAt, turn, grants } = record;
    const { conversations } = this.#settings;
    return this.#build({
      id: record.sessionId as SessionId,
      createdAt,
      state: restoredState(record),
      turn,
      totals,
      grants,
      options,
      conversation: new Conversation(claudeSessionId, options.cwd, conversations, totals.turns > 0),
      isRestored: true,
      recordedAt: record.updatedAt,
      isForeign: record.isForeign,
      notRestored: record.withheld,
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
      conversation: new Conversation(id, options.cwd, this.#settings.conversations, true),
      isRestored: true,
      isForeign: true,
      budget,
    });
  }

  #build(
    seed: Omit<SessionSeed, 'log' | 'state' | 'turn' | 'totals'> &
      Partial<Pick<SessionSeed, 'state' | 'turn' | 'totals'>>,
  ): Session {
    const log = new EventLog(this.#settings.limits.log, this.#services.meter);
    const beginning = { state: initialState, turn: 0, totals: noTotals };
    return new Session({ ...beginning, ...seed, log }, this.#services, this.#owner);
  }
}

/** A turn that was running when the server stopped counts as interrupted. */
function restoredState({ status, outcome }: SessionRecord): SessionState {
  if (status === 'running' || status === 'waiting') return { status: 'idle', outcome: 'interrupted' };
  return { status, outcome };
}
