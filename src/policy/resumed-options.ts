import { AppError } from '../core/errors.js';
import type { EffectiveOptions, OptionName, RequestedOptions } from '../core/options/index.js';
import { withoutUntrustedLeaves } from './leaf-trust.js';
import { resolveOption, resolveOptions, type Question } from './resolve-options.js';

export interface ResumeQuestion extends Question {
  /** The requested options that come from the session's record. The caller has passed the others. */
  readonly recorded: ReadonlySet<OptionName>;
}

export interface ResumedOptions {
  readonly options: EffectiveOptions;
  /** Recorded options that the session no longer has, or not in full. */
  readonly narrowed: readonly OptionName[];
}

type Narrow = (value: unknown, accepts: (value: unknown) => boolean) => unknown;

const drop: Narrow = () => undefined;
const keepAccepted: Narrow = (value, accepts) => {
  const kept = acceptedPart(value, accepts);
  return accepts(kept) ? kept : undefined;
};

function acceptedPart(value: unknown, accepts: (value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.filter((entry) => accepts([entry]));
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([key, entry]) => accepts({ [key]: entry })));
}

/**
 * What replaces a recorded option that is refused today. An option is missing here if the session could do more without
 * it.
 */
const narrowings: { readonly [K in OptionName]?: Narrow } = {
  // First, because the rules of other options depend on the mode.
  permissionMode: () => 'default',
  settingSources: (sources) => ['user', ...(sources as readonly string[])],
  allowedTools: keepAccepted,
  skills: keepAccepted,
  slashCommands: drop,
  outputFormat: drop,
  agents: keepAccepted,
  mcpServers: keepAccepted,
  // Falls back to what the user and the operator have configured.
  sandbox: drop,
  enableFileCheckpointing: drop,
  // Fall back to the operator's limits.
  maxTurns: drop,
  maxBudgetUsd: drop,
};

/** Modes that never auto-approve more than another mode. */
const narrowModes: ReadonlySet<unknown> = new Set(['plan', 'dontAsk']);

/**
 * Resolves the options of a session that continues. Its recorded options are narrowed to what today's policy allows,
 * so that it can always be resumed. Changes by the caller are judged as at a start.
 */
export function resolveResumed(asked: ResumeQuestion): ResumedOptions {
  const { recorded } = asked;
  let question = withRecordedMode(asked);
  const narrowed: OptionName[] = [];
  const replace = (option: OptionName, value: unknown): void => {
    question = { ...question, requested: { ...question.requested, [option]: value } };
    if (!narrowed.includes(option)) narrowed.push(option);
  };
  for (const option of recorded) {
    const value = question.requested[option];
    const allowed = withoutUntrustedLeaves(option, value, question.policy);
    if (allowed !== value) replace(option, allowed);
  }
  for (const [option, narrow] of Object.entries(narrowings) as [OptionName, Narrow][]) {
    const value = question.requested[option];
    const accepts = (part: unknown): boolean => isAccepted(option, part, { ...asked, ...question });
    if (value !== undefined && recorded.has(option) && !accepts(value))
      replace(option, narrow(value, accepts));
  }
  return { options: resolveOptions(question), narrowed };
}

/** The operator's list of modes is about what callers choose; a session may stay in a mode that is narrower. */
function withRecordedMode({ requested, recorded, policy, ...rest }: ResumeQuestion): Question {
  const { permissionMode } = requested;
  const isKept = recorded.has('permissionMode') && narrowModes.has(permissionMode);
  if (!isKept || permissionMode === undefined) return { requested, policy, ...rest };
  return { requested, policy: { ...policy, callerModes: [...policy.callerModes, permissionMode] }, ...rest };
}

function isAccepted(option: OptionName, value: unknown, question: ResumeQuestion): boolean {
  const requested: RequestedOptions = { ...question.requested, [option]: value };
  try {
    for (const key of ['permissionMode', option] as const) resolveOption(key, { ...question, requested });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
