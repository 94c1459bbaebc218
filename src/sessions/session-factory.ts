import type { SessionId } from '../core/ids.js';
import { initialState, type SessionState } from '../core/session/session-state.js';
import type { EffectiveOptions } from '../core/options/index.js';
import { EventLog, type LogLimits } from '../events/event-log.js';
import type { SharedBudget } from '../state/shared-budget.js';
import type { BudgetStore } from '../state/budget-store.js';
import { Conversation, type ConversationSettings } from '../session/process/conversation.js';
import type { ForkOrigin } from '../session/process/fork-origin.js';
import type { SessionRecord } from '../state/record-store.js';
import { Session, type SessionDependencies, type SessionSeed } from '../session/session.js';
import { noTotals } from '../session/budget/totals.js';

export interface FactorySettings {
  readonly conversations: ConversationSettings;
  readonly pots: BudgetStore;
  readonly log: LogLimits;
  readonly session: SessionDependencies;
}

/** Makes sessions: new ones, forks, and those that are only on disk any more. */
export class SessionFactory {
  readonly #settings: FactorySettings;

  constructor(settings: FactorySettings) {
    this.#settings = settings;
  }

  create(options: EffectiveOptions, forkOf?: ForkOrigin): Session {
    const { pots, session } = this.#settings;
    const { ids, clock } = session;
    const id = ids.uuid() as SessionId;
    return this.#build({
      id,
      createdAt: clock.now(),
      conversation: new Conversation(id, options.cwd, this.#settings.conversations),
      options,
      forkOf,
      grants: forkOf?.grants,
      withheld: forkOf?.withheld,
      isForeign: forkOf?.isForeign,
      pot: forkOf?.pot ?? pots.create(id, options.persistSession),
    });
  }

  /** One that this server, or an earlier one, has started. */
  restore(record: SessionRecord, pot: SharedBudget): Session {
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
      withheld: record.withheld,
      pot,
    });
  }

  /** One that somebody else has started: its history is Claude's, its totals begin here. */
  adopt(id: SessionId, options: EffectiveOptions, pot: SharedBudget): Session {
    const { conversations, session } = this.#settings;
    return this.#build({
      id,
      createdAt: session.clock.now(),
      state: { status: 'idle', outcome: undefined },
      options,
      conversation: new Conversation(id, options.cwd, conversations, true),
      isRestored: true,
      isForeign: true,
      pot,
    });
  }

  #build(
    seed: Omit<SessionSeed, 'log' | 'state' | 'turn' | 'totals'> &
      Partial<Pick<SessionSeed, 'state' | 'turn' | 'totals'>>,
  ): Session {
    const log = new EventLog(this.#settings.log, this.#settings.session.meter);
    return new Session(
      { state: initialState, turn: 0, totals: noTotals, ...seed, log },
      this.#settings.session,
    );
  }
}

/** A turn that was running when the server ended was interrupted by that. */
function restoredState({ status, outcome }: SessionRecord): SessionState {
  if (status === 'running' || status === 'waiting') return { status: 'idle', outcome: 'interrupted' };
  return { status, outcome };
}
