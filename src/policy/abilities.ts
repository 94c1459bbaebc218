import type { Abilities } from '../core/claude/abilities.js';
import { AppError } from '../core/errors.js';
import type { InputKind } from '../core/session/events.js';
import type { EffectiveOptions, RequestedOptions } from '../core/options/index.js';
import type { FolderBounds } from './folders.js';
import type { PolicySettings } from './settings.js';

/** What drives Claude Code here. */
export interface Means {
  readonly name: string;
  readonly abilities: Abilities;
}

/** Where a rule that lets a tool run unasked reaches further than the session may. */
export function isBounded(
  { approvals }: Pick<PolicySettings, 'approvals'>,
  { roots }: Pick<FolderBounds, 'roots'>,
): boolean {
  return approvals === 'human' || roots.length > 0;
}

type Mode = Pick<EffectiveOptions, 'permissionMode'>;

/**
 * Whether tools may run unasked at all. In plan mode, where only people approve, and inside roots, that takes a gate
 * that still asks for what goes too far: without one, a rule would go round whoever is to be asked.
 */
export function mayPreApprove({ abilities }: Means, { permissionMode }: Mode, hasBounds: boolean): boolean {
  return abilities.gate || (permissionMode !== 'plan' && !hasBounds);
}

/** Options as far as the backend can carry them out. What a caller asks for in vain is refused, not dropped. */
export function withinAbilities(
  options: EffectiveOptions,
  requested: RequestedOptions,
  means: Means,
  hasBounds: boolean,
): EffectiveOptions {
  refuseMissing(options, means);
  refuseReserved(options, means);
  if (mayPreApprove(means, options, hasBounds) || (options.allowedTools ?? []).length === 0) return options;
  const { allowedTools: _defaults, ...rest } = options;
  // The operator's default is one for sessions in which it can be kept within bounds.
  if ((requested.allowedTools ?? []).length === 0) return rest;
  throw new AppError('pre_approval_unbounded', unboundedIn(means, options));
}

/** What is allowed in advance with an answer is no better than what was allowed before. */
export function refuseUpdates(kind: InputKind, means: Means, options: Mode, hasBounds: boolean): void {
  // An approved plan is the end of plan mode.
  const mode = kind === 'plan_review' ? 'default' : options.permissionMode;
  if (mayPreApprove(means, { permissionMode: mode }, hasBounds)) return;
  throw new AppError('permission_updates_unbounded', unboundedIn(means, options));
}

function unboundedIn(
  { name }: Means,
  { permissionMode }: Mode,
): { readonly backend: string; readonly isPlanMode: boolean } {
  return { backend: name, isPlanMode: permissionMode === 'plan' };
}

function refuseMissing(options: EffectiveOptions, { name, abilities }: Means): void {
  const missing = abilities.missingOptions.filter(
    (key) => options[key] !== undefined && options[key] !== false,
  );
  if (missing.length === 0) return;
  throw new AppError('option_unsupported', { backend: name, options: missing });
}

function refuseReserved({ mcpServers = {} }: EffectiveOptions, { name, abilities }: Means): void {
  const taken = abilities.reservedServers.find((server) => Object.hasOwn(mcpServers, server));
  if (taken === undefined) return;
  throw new AppError('server_name_reserved', { backend: name, name: taken });
}
