import type { AnswerPart, PromptState } from '../../core/claude/backend.js';
import type { StopReason } from '../report/reports.js';
import { AppError } from '../../core/errors.js';
import type { Clock } from '../../core/clock.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';
import { maxSavedBytes, savedBytesOf, type Asked } from './asked.js';
import { TurnClock, type TurnLimits } from './turn-clock.js';

/** How long an interrupted turn may take to end before its process is stopped. */
export const interruptGraceMs = 5_000;

/** Changes that a reply may make, effective from this turn. */
export interface TurnChanges {
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Options newly resolved by the policy, if a session without a process is resumed or its options change. */
  readonly options?: EffectiveOptions | undefined;
  /** The caller may not use these, even if a person chooses them while the prompt waits. */
  readonly barredModes?: readonly PermissionMode[] | undefined;
  /** What counts instead if the caller may request less when the prompt runs than when it was queued. */
  readonly later?: { readonly isDue: () => boolean; readonly changes: TurnChanges } | undefined;
  /** The options that its caller was allowed to continue with, if that is not all that a session can have. */
  readonly judged?: EffectiveOptions | undefined;
  /** Why the prompt must not run. */
  readonly refusal?: AppError | undefined;
  /** Continues from this message; later messages are forgotten. */
  readonly resumeAt?: string | undefined;
}

/** Throws if another call has changed since then what runs without approval. Modes are judged when the prompt runs. */
export function refuseUnjudged(
  { judged }: TurnChanges,
  { id, optionsAhead }: { readonly id: string; readonly optionsAhead: EffectiveOptions },
): void {
  if (judged === undefined || JSON.stringify(allowing(judged)) === JSON.stringify(allowing(optionsAhead)))
    return;
  const activity = 'another call changed its options';
  throw new AppError('session_busy', { sessionId: id, activity, canQueue: false, openRequest: undefined });
}

function allowing({
  allowedTools,
  skills,
  slashCommands,
  agents,
  mcpServers,
  sandbox,
}: EffectiveOptions): unknown {
  return [allowedTools, skills, slashCommands, agents, mcpServers, sandbox];
}

/** What a prompt changes that runs now. */
export function changesNow({ later, ...changes }: TurnChanges): TurnChanges {
  return later?.isDue() === true ? { ...later.changes, resumeAt: changes.resumeAt } : changes;
}

/** The same changes with other options. */
export function amended(
  { options, later, ...rest }: TurnChanges,
  change: (options: EffectiveOptions) => EffectiveOptions,
): TurnChanges {
  return {
    ...rest,
    options: options && change(options),
    later: later && { ...later, changes: amended(later.changes, change) },
  };
}

/** Returns the options that apply from this turn on. */
export function changedBy(
  { options, maxTurns, maxBudgetUsd, barredModes = [] }: TurnChanges,
  before: EffectiveOptions,
): EffectiveOptions {
  const asked = options ?? before;
  const base: EffectiveOptions = barredModes.includes(asked.permissionMode)
    ? { ...asked, permissionMode: 'default' }
    : asked;
  return {
    ...base,
    maxTurns: maxTurns ?? base.maxTurns,
    maxBudgetUsd: maxBudgetUsd ?? base.maxBudgetUsd,
  };
}

/** One prompt until its result; or, if unsolicited, a turn that Claude Code began by itself. */
export class Turn {
  readonly number: number;
  readonly startedAt: number;
  /** The prompts that this turn answers: the first, and those that steered it. Empty if unsolicited. */
  readonly promptUuids = new Set<string>();
  /** What the caller asked: the prompt, and those that steered it. */
  readonly asked: Asked[];
  stopReason: StopReason | undefined;
  /** Whether a process works on it: the exit of a process that never got the prompt does not end the turn. */
  isUnderWay = false;
  /** Whether the model has answered anything since the turn began. */
  hasAnswer = false;
  /** The number of these answers, without those to subagents. */
  answers = 0;
  #lastAnswer: string | undefined;
  #progress: PromptState | undefined;
  /** Resolves when the turn is over, however it ended. */
  readonly ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  readonly clock: TurnClock;

  constructor(options: {
    number: number;
    asked: readonly Asked[];
    limits: TurnLimits;
    clock: Clock;
    onLimit: (limit: keyof TurnLimits) => void;
  }) {
    const { number, asked, limits, clock, onLimit } = options;
    this.number = number;
    this.asked = [...asked];
    this.startedAt = clock.now();
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    for (const { uuid } of asked) this.promptUuids.add(uuid);
    this.clock = new TurnClock(limits, clock, onLimit);
  }

  get isUnsolicited(): boolean {
    return this.promptUuids.size === 0;
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
  begin(): void {
    this.isUnderWay = true;
    this.clock.start();
  }

  end(): void {
    this.clock.end();
    this.#resolveEnded();
  }
}
