import { AppError } from '../core/errors.js';
import { isSingleRule, type PermissionMode } from '../core/options/tools.js';
import { isPersonNeeded, type CallerStanding } from './approvals.js';
import type { PolicySettings } from './settings.js';

/** What a caller may always have run unasked. */
const harmless: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'TodoWrite']);

/** Rules by which tools would run unasked. Where a person can be asked, a caller may not answer in advance. */
export function refusePreAllowed(
  option: string,
  rules: readonly string[],
  policy: PolicySettings,
  standing: CallerStanding,
): void {
  const refused = rules.find((rule) => !mayPreAllow(rule, policy, standing));
  if (refused === undefined) return;
  throw new AppError('pre_approval_refused', { option, rule: refused, harmless: [...harmless] });
}

function mayPreAllow(rule: string, policy: PolicySettings, standing: CallerStanding): boolean {
  // What is more than one rule is not what it looks like.
  if (!isSingleRule(rule) || !isWithinList(rule, policy)) return false;
  const { preallow, approvals } = policy;
  if (preallow !== undefined || harmless.has(toolNameOf(rule))) return true;
  return approvals === 'any' || (approvals === 'auto' && !standing.canAskPerson && !standing.hasPerson);
}

/** Whether the operator's list of what may run unasked, where there is one, has room for a rule. */
export function isWithinList(rule: string, { preallow }: Pick<PolicySettings, 'preallow'>): boolean {
  const toolName = toolNameOf(rule);
  if (preallow === undefined || harmless.has(toolName)) return true;
  return preallow.some((listed) => listed === '*' || listed === rule || listed === toolName);
}

function toolNameOf(rule: string): string {
  return rule.split('(', 1)[0] ?? '';
}

/** A list of what may run unasked is no ceiling when a mode can be chosen that runs more. */
function isWithinCeiling(mode: PermissionMode, { preallow }: PolicySettings): boolean {
  if (preallow === undefined || preallow.includes('*')) return true;
  return mode === 'acceptEdits' && preallow.includes('Edit') && preallow.includes('Write');
}

const unaskingModes: ReadonlySet<string> = new Set<PermissionMode>(['acceptEdits', 'auto']);

/** The mode that asks for everything is there for everybody: nobody gets more by it. */
function refuseUnlistedMode(mode: PermissionMode, { callerModes }: PolicySettings): void {
  if (mode === 'default' || callerModes.includes(mode)) return;
  throw new AppError('mode_unlisted', { mode, modes: [...new Set(['default', ...callerModes])] });
}

/** Modes that a caller may not have: unlisted ones, and those in which edits, or more, run unasked. */
export function refuseMode(
  mode: PermissionMode,
  chosenElsewhere: readonly (string | undefined)[],
  policy: PolicySettings,
  standing: CallerStanding,
): void {
  if (chosenElsewhere.includes(mode)) return;
  refuseUnlistedMode(mode, policy);
  if (!unaskingModes.has(mode)) return;
  if (!isPersonNeeded(policy, standing) && isWithinCeiling(mode, policy)) return;
  throw new AppError('mode_unasking', { mode });
}
