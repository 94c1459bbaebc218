import type { Abilities } from '../core/claude/abilities.js';
import { AppError } from '../core/errors.js';
import type { InputKind } from '../core/session/events.js';
import type { EffectiveOptions, RequestedOptions } from '../core/options/index.js';
import { mayAskPerson, type CallerStanding } from './approvals.js';
import type { FolderBounds } from './folders.js';
import { isWholeFileTool } from './gate/file-rules.js';
import type { PolicySettings } from './settings.js';

/** The backend and its capabilities. */
export interface Means {
  readonly name: string;
  readonly abilities: Abilities;
}

/** Whether a rule that pre-approves a tool could reach further than the session may. */
export function isBounded(
  { approvals }: Pick<PolicySettings, 'approvals'>,
  { roots }: Pick<FolderBounds, 'roots'>,
): boolean {
  return approvals === 'human' || roots.length > 0;
}

/** Whether what a caller may have read or edited in advance is limited to the session's folders. */
export function isReadingBounded(
  policy: Pick<PolicySettings, 'approvals' | 'preallow'>,
  bounds: Pick<FolderBounds, 'roots'>,
  standing: CallerStanding,
): boolean {
  if (isBounded(policy, bounds)) return true;
  return policy.preallow === undefined ? mayAskPerson(policy, standing) : !policy.preallow.includes('*');
}

type Mode = Pick<EffectiveOptions, 'permissionMode'>;

/**
 * Whether tools may be pre-approved at all. In plan mode, with human-only approvals and inside roots, that requires a
 * gate that still asks about calls out of bounds. Without a gate, a rule would bypass the approver.
 */
export function mayPreApprove({ abilities }: Means, { permissionMode }: Mode, hasBounds: boolean): boolean {
  return abilities.gate || (permissionMode !== 'plan' && !hasBounds);
}

/** Restricts the options to what the backend supports. Unsupported requests are refused, not dropped. */
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
  // The operator's default applies only to sessions in which it can be bounded.
  if ((requested.allowedTools ?? []).length === 0) return rest;
  throw new AppError('pre_approval_unbounded', unboundedIn(means, options));
}

/** Without a gate, Claude Code lets such a hook answer before an approver can. */
export function refuseAnsweringHook(
  { name, abilities }: Means,
  { permissionMode }: Mode,
  { approvals }: Pick<PolicySettings, 'approvals'>,
  path: string | undefined,
): void {
  const asksFirst = permissionMode === 'plan' || approvals === 'human';
  if (path === undefined || abilities.gate || !asksFirst || permissionMode === 'bypassPermissions') return;
  throw new AppError('hook_answers_requests', { backend: name, path });
}

/** Without a gate, a whole tool such as Read would read the whole disk. */
export function refuseUngatedFiles(
  option: string,
  rules: readonly string[],
  { abilities }: Means,
  { preallow = [], preallowSetting: setting }: Pick<PolicySettings, 'preallow' | 'preallowSetting'>,
): void {
  if (abilities.gate) return;
  const rule = rules.find((candidate) => isWholeFileTool(candidate) && !preallow.includes(candidate));
  if (rule !== undefined) throw new AppError('pre_approval_outside', { option, rule, setting });
}

/** Pre-approvals that come with an answer follow the same rules as those at the start. */
export function refuseUpdates(kind: InputKind, means: Means, options: Mode, hasBounds: boolean): void {
  // Approving a plan ends plan mode.
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
