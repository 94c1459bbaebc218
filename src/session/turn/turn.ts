import type { AnswerPart, PromptState } from '../../core/claude/backend.js';
import type { StopReason } from '../report/reports.js';
import type { Clock } from '../../core/clock.js';
import type { OwnWorkName, StartedBy } from '../../core/session/turn-result.js';
import { maxSavedBytes, savedBytesOf, type Asked } from './asked.js';
import { TurnClock, type TurnLimits } from './turn-clock.js';

/** How long an interrupted turn may take to end before its process is stopped. */
export const interruptGraceMs = 5_000;

/** A `continued` turn is paid from what an earlier prompt may still spend. */
export type TurnKind = 'prompt' | 'continued' | OwnWorkName;

/** One prompt until its result; or a turn without a prompt, which Claude Code or this server began by itself. */
export class Turn {
  readonly number: number;
  readonly startedAt: number;
  /** The prompts that this turn answers: the first, and those that steered it. Empty if it began without one. */
  readonly promptUuids = new Set<string>();
  /** What the caller asked: the prompt, and those that steered it. */
  readonly asked: Asked[];
  /** The message from which it continues; undefined means the last one. */
  readonly resumeAt: string | undefined;
  stopReason: StopReason | undefined;
  /** Whether a process works on it: the exit of a process that never got the prompt does not end the turn. */
  isUnderWay = false;
  /** Whether the model has answered anything since the turn began. */
  hasAnswer = false;
  /** The number of these answers, without those to subagents. */
  answers = 0;
  #lastAnswer: string | undefined;
  #progress: PromptState | undefined;
  readonly #kind: TurnKind;
  /** Resolves when the turn is over, however it ended. */
  readonly ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  readonly clock: TurnClock;

  constructor(options: {
    number: number;
    asked: readonly Asked[];
    resumeAt?: string | undefined;
    kind?: TurnKind;
    limits: TurnLimits;
    clock: Clock;
    onLimit: (limit: keyof TurnLimits) => void;
  }) {
    const { number, asked, resumeAt, kind = 'prompt', limits, clock, onLimit } = options;
    this.number = number;
    this.asked = [...asked];
    this.resumeAt = resumeAt;
    this.#kind = kind;
    this.startedAt = clock.now();
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    for (const { uuid } of asked) this.promptUuids.add(uuid);
    this.clock = new TurnClock(limits, clock, onLimit);
  }

  /** What began it, if it answers no prompt. */
  get startedBy(): StartedBy | undefined {
    if (this.#kind === 'rewind') return this.#kind;
    return this.promptUuids.size === 0 ? 'claude_code' : undefined;
  }

  get isUnsolicited(): boolean {
    return this.startedBy === 'claude_code';
  }

  /** Whether it may cost anything. */
  get callsModel(): boolean {
    return this.#kind !== 'rewind';
  }

  /** Notes a part of an answer. */
  noteAnswer({ id, agent }: AnswerPart): void {
    this.hasAnswer = true;
    if (agent !== undefined || id === this.#lastAnswer) return;
    this.#lastAnswer = id;
    this.answers += 1;
  }

  /** The answers so far belong to other work. */
  forgetAnswers(): void {
    this.hasAnswer = false;
    this.answers = 0;
  }

  /** Notes how far Claude Code has got. A steering prompt is queued while the turn is already running. */
  advance(state: PromptState): void {
    if (state !== 'queued' || this.#progress === undefined) this.#progress = state;
  }

  /** Claude Code works on this turn, so a steering prompt would join it and not run before it. */
  canBeSteered(prompt: Asked): boolean {
    if (savedBytesOf([...this.asked, prompt]) > maxSavedBytes) return false;
    return this.isUnderWay && (this.isUnsolicited || this.#progress === 'started');
  }

  /** Claude Code still works on something that it began itself. */
  get isBehindOtherWork(): boolean {
    return this.#progress === 'queued' || (this.#progress === undefined && this.hasAnswer);
  }

  /** Claude Code will do nothing more for its prompts. */
  get isCompleted(): boolean {
    return this.#progress === 'completed';
  }

  /** Begins a turn that needs no prompt: Claude Code or this server is already at work. */
  begin(): this {
    this.isUnderWay = true;
    this.clock.start();
    return this;
  }

  end(): void {
    this.clock.end();
    this.#resolveEnded();
  }
}
