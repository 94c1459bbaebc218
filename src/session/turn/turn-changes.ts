import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';

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
