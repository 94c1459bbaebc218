import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/observability/logger.js';
import type { EffectiveOptions, OptionName } from '../../core/options/index.js';
import { nextState, type SessionState, type StateEvent } from '../../core/session/session-state.js';
import { cutTurnOf, type CutTurn, type TurnLoopSeed } from './beginning.js';
import type { Turn } from './turn.js';

/** The current facts about a session: its state, turn, options and tools, and when it was last used and looked at. */
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
  /** Requests that ended with a server since the last turn began. */
  voided: readonly string[];
  /** The turn after which Claude Code has forgotten answers. */
  forgotAfter: number | undefined;
  #state: SessionState;
  #lastUsedAt: number;
  #touchedAt: number;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(
    {
      sessionId,
      state,
      turn,
      options,
      firstPrompt,
      notRestored = [],
      cutTurn,
      voided = [],
      forgotAfter,
      lastUsedAt,
    }: TurnLoopSeed,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#sessionId = sessionId;
    this.#state = state;
    this.turnNumber = turn;
    this.options = options;
    this.firstPrompt = firstPrompt;
    this.notRestored = notRestored;
    this.cutTurn = cutTurn;
    this.voided = voided;
    this.forgotAfter = forgotAfter;
    this.#clock = clock;
    this.#logger = logger;
    this.#touchedAt = clock.now();
    this.#lastUsedAt = lastUsedAt ?? this.#touchedAt;
  }

  get state(): SessionState {
    return this.#state;
  }

  get isInTurn(): boolean {
    return this.#state.status === 'running' || this.#state.status === 'waiting';
  }

  /** When its state last changed. Lists show this, so looking at a session leaves it as it is. */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** When it was last used or looked at. The session that rests longest is the first to lose memory or its process. */
  get lastTouchedAt(): number {
    return Math.max(this.#touchedAt, this.#lastUsedAt);
  }

  touch(): void {
    this.#touchedAt = this.#clock.now();
  }

  beginTurn(): void {
    this.turnNumber += 1;
    this.cutTurn = undefined;
    this.voided = [];
  }

  noteVoided(requestId: string): void {
    this.voided = [...this.voided, requestId];
  }

  /** A prompt whose turn ends with the server can run again. */
  endTurn(turn: Pick<Turn, 'stopReason' | 'asked' | 'resumeAt'>): void {
    if (turn.stopReason === 'shutdown' && turn.asked.length > 0) this.cutTurn = cutTurnOf(turn);
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
      if (next !== this.#state) this.#lastUsedAt = this.#clock.now();
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
