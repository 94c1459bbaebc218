import type { BackendSignal } from '../../core/claude/backend.js';
import { askedIn, type Asked } from './asked.js';
import type { Turn } from './turn.js';

export type ResultSignal = Extract<BackendSignal, { type: 'result' }>;

/** Matches results to turns by the uuids of the prompts, never by counting: N prompts do not yield N results. */
export class ResultMatcher {
  current: Turn | undefined;
  /** Steering prompts that no result has named yet. */
  readonly #unanswered = new Map<string, Asked>();
  readonly #onAsked: (prompt: Asked, turn: number) => void;

  constructor(onAsked: (prompt: Asked, turn: number) => void = () => undefined) {
    this.#onAsked = onAsked;
  }

  begin(turn: Turn): void {
    this.current = turn;
    for (const prompt of turn.asked) {
      this.#unanswered.delete(prompt.uuid);
      this.#onAsked(prompt, turn.number);
    }
  }

  steer(given: Asked): void {
    const prompt = askedIn(given);
    this.current?.promptUuids.add(prompt.uuid);
    this.current?.asked.push(prompt);
    this.#unanswered.set(prompt.uuid, prompt);
    this.#onAsked(prompt, this.current?.number ?? 0);
  }

  /** Whether this result ends the current turn. Work that Claude Code began itself never answers a prompt. */
  isAnsweredBy({ promptUuids, unsolicited }: ResultSignal): boolean {
    const turn = this.current;
    if (turn === undefined) return false;
    if (turn.isUnsolicited) return promptUuids.length === 0;
    if (promptUuids.length > 0) return promptUuids.some((uuid) => turn.promptUuids.has(uuid));
    // Some failures before the first model call carry no uuids at all.
    return !unsolicited && !turn.isBehindOtherWork;
  }

  /**
   * Whether this result only ends one of several notifications, without a call of the model. More follow, or Claude
   * Code reports that it is idle.
   */
  isInterim({ unsolicited, report: { outcome, result, numTurns } }: ResultSignal): boolean {
    const isEmpty = outcome === 'completed' && result === '' && numTurns === 0;
    const { isUnsolicited = true, stopReason } = this.current ?? {};
    return unsolicited && isEmpty && isUnsolicited && stopReason === undefined;
  }

  /** Ends the current turn; returns the prompts that were meant to steer it but came too late. */
  end(answered: readonly string[]): readonly Asked[] {
    for (const uuid of answered) this.#unanswered.delete(uuid);
    this.current?.end();
    this.current = undefined;
    return [...this.#unanswered.values()];
  }

  /** The process has exited, and with it every prompt it received. */
  forget(): void {
    this.#unanswered.clear();
  }
}
