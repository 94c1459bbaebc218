import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { SessionState } from '../../core/session/session-state.js';
import { areSame } from '../process/reuse.js';

type Base = Pick<EffectiveOptions, 'disallowedTools' | 'model' | 'permissionMode'>;

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
  /** Options of a running turn that its caller could request, if that is not all that a session can have. */
  readonly joins?: EffectiveOptions | undefined;
  /** The session when `options` were resolved. */
  readonly base?: Base | undefined;
  /** Whether its caller may request less now than when this was resolved. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** Why the prompt must not run. */
  readonly refusal?: AppError | undefined;
  /** Continues from this message; later messages are forgotten. */
  readonly resumeAt?: string | undefined;
}

/**
 * Throws if another call has changed since then what runs without approval or never, or a mode or model that the options
 * of this one would undo, if it has cancelled the session, or if a person has answered or a bypass has ended. Modes are
 * judged when the prompt runs.
 */
export function refuseUnjudged(
  { judged, options, base, isOutdated }: TurnChanges,
  now: {
    readonly id: string;
    readonly state: Pick<SessionState, 'status'>;
    readonly options: EffectiveOptions;
    readonly optionsAhead: EffectiveOptions;
  },
): void {
  if (now.state.status === 'cancelled') throw new AppError('session_cancelled', { sessionId: now.id });
  const isOther =
    options === undefined
      ? judged !== undefined && !allowsSame(judged, now.optionsAhead)
      : base !== undefined &&
        ![now.options, now.optionsAhead].some((found) => isBasedOn(options, base, found));
  if (!isOther && isOutdated?.() !== true) return;
  throw new AppError('session_changed', { sessionId: now.id, what: isOther ? 'options' : 'rights' });
}

/** Throws if the prompt needs another process in a session that lives in its process. */
export function refuseRestart(
  changes: TurnChanges,
  { id, optionsAhead: ahead }: { readonly id: string; readonly optionsAhead: EffectiveOptions },
): void {
  if (ahead.persistSession) return;
  const { resumeAt, ...now } = changesNow(changes);
  if (resumeAt !== undefined || !areSame(changedBy(now, ahead), ahead))
    throw new AppError('process_fixed', { sessionId: id });
}

/** Whether the prompt may join a turn with these options. */
export function mayJoin({ joins }: TurnChanges, running: EffectiveOptions): boolean {
  return joins === undefined || allowsSame(joins, running);
}

/** Whether the same runs without approval, apart from the mode. */
function allowsSame(one: EffectiveOptions, other: EffectiveOptions): boolean {
  return JSON.stringify(allowing(one)) === JSON.stringify(allowing(other));
}

/** Whether these options, which were resolved from `base`, undo nothing that has been changed since. */
function isBasedOn(options: EffectiveOptions, base: Base, found: EffectiveOptions): boolean {
  const isKept = (key: 'model' | 'permissionMode'): boolean =>
    found[key] === base[key] || found[key] === options[key];
  const isDenied = JSON.stringify(base.disallowedTools) === JSON.stringify(found.disallowedTools);
  return isDenied && isKept('permissionMode') && isKept('model');
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
