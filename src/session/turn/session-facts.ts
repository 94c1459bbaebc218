import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/observability/logger.js';
import type { EffectiveOptions, OptionName } from '../../core/options/index.js';
import { nextState, type SessionState, type StateEvent } from '../../core/session/session-state.js';
import { cutTurnOf, type CutTurn, type TurnLoopSeed } from './beginning.js';
import type { Turn } from './turn.js';

/** The current facts about a session: its state, turn, options and tools, and when it was last used. */
export class SessionFacts {
  options: EffectiveOptions;
  availableTools: readonly string[] = [];
  /** The beginning of the first prompt, in one line. Undefined if someone else started the session. */
  firstPrompt: string | undefined;
  turnNumber: number;
  /**
   * Options from before a restart that the caller has not passed again: secrets, which are not saved, and options that
   * today's policy refuses.
   */
  notRestored: readonly OptionName[];
  /** The turn that ended with an earlier server, until another one begins. */
  cutTurn: CutTurn | undefined;
  #state: SessionState;
  #lastUsedAt: number;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(
    { sessionId, state, turn, options, firstPrompt, notRestored = [], cutTurn }: TurnLoopSeed,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#sessionId = sessionId;
    this.#state = state;
    this.turnNumber = turn;
    this.options = options;
    this.firstPrompt = firstPrompt;
    this.notRestored = notRestored;
    this.cutTurn = cutTurn;
    this.#clock = clock;
    this.#logger = logger;
    this.#lastUsedAt = clock.now();
  }

  get state(): SessionState {
    return this.#state;
  }

  get isInTurn(): boolean {
    return this.#state.status === 'running' || this.#state.status === 'waiting';
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** Marks the session as used, so that it is not forgotten now. */
  touch(): void {
    this.#lastUsedAt = this.#clock.now();
  }

  beginTurn(): void {
    this.turnNumber += 1;
    this.cutTurn = undefined;
    this.touch();
  }

  /** A turn that ends with the server can run again. */
  endTurn({ stopReason, asked }: Pick<Turn, 'stopReason' | 'asked'>): void {
    if (stopReason === 'shutdown') this.cutTurn = cutTurnOf(asked);
    this.touch();
  }

  /** Applies a transition. An illegal one is logged and changes nothing. */
  apply(event: StateEvent): void {
    const next = nextState(this.#state, event);
    if (next !== undefined) {
      this.#logger.log('debug', 'session state', {
        sessionId: this.#sessionId,
        event: event.type,
        from: this.#state.status,
        to: next.status,
      });
      this.#state = next;
      return;
    }
    this.#logger.log('error', 'ignored an invalid state transition', {
      sessionId: this.#sessionId,
      from: this.#state.status,
      event: event.type,
    });
  }
}
