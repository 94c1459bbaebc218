import { AppError } from '../core/errors.js';
import { toolOfRule } from '../core/options/permission-rules.js';
import { isSingleRule, type PermissionMode } from '../core/options/tools.js';
import { isPersonNeeded, mayAskPerson, type CallerStanding } from './approvals.js';
import { reachesOutside } from './gate/file-rules.js';
import type { PolicySettings } from './settings.js';

/** Tools that a caller may always pre-approve. */
const harmless: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'TodoWrite']);

/**
 * Refuses rules that a caller may not pre-approve: where a person can be asked, the caller may not answer in advance.
 */
export function refusePreAllowed(
  option: string,
  rules: readonly string[],
  policy: PolicySettings,
  standing: CallerStanding,
): void {
  const refused = rules.find((rule) => !mayPreAllow(rule, policy, standing));
  if (refused === undefined) return;
  throw new AppError('pre_approval_refused', {
    option,
    rule: refused,
    isUnlisted: !isWithinList(refused, policy),
    setting: policy.preallowSetting,
    harmless: [...harmless],
  });
}

/** Refuses rules that reach outside the folders of a session that is bounded by them. */
export function refuseOutside(
  option: string,
  rules: readonly string[],
  folders: readonly string[],
  policy: Pick<PolicySettings, 'preallow' | 'preallowSetting'>,
): void {
  const refused = rules.find((rule) => !staysWithin(rule, folders, policy));
  if (refused === undefined) return;
  throw new AppError('pre_approval_outside', { option, rule: refused, setting: policy.preallowSetting });
}

/** Whether a rule keeps to the session's folders, or to a path that the operator listed. */
export function staysWithin(
  rule: string,
  folders: readonly string[],
  { preallow = [] }: Pick<PolicySettings, 'preallow'>,
): boolean {
  return preallow.includes(rule) || !reachesOutside(rule, folders);
}

function mayPreAllow(rule: string, policy: PolicySettings, standing: CallerStanding): boolean {
  // A text with several rules would allow more than it appears to.
  if (!isSingleRule(rule) || !isWithinList(rule, policy)) return false;
  if (policy.preallow !== undefined || harmless.has(toolOfRule(rule))) return true;
  return !mayAskPerson(policy, standing);
}

/** Whether the operator's list of pre-approvable rules, if there is one, covers a rule. */
export function isWithinList(rule: string, { preallow }: Pick<PolicySettings, 'preallow'>): boolean {
  const toolName = toolOfRule(rule);
  if (preallow === undefined || harmless.has(toolName)) return true;
  return preallow.some((listed) => listed === '*' || listed === rule || listed === toolName);
}

/** The operator's list would be no ceiling if a caller could choose a mode that runs more without asking. */
function isWithinCeiling(mode: PermissionMode, { preallow }: PolicySettings): boolean {
  if (preallow === undefined || preallow.includes('*')) return true;
  return mode === 'acceptEdits' && preallow.includes('Edit') && preallow.includes('Write');
}

const autoApprovingModes: ReadonlySet<string> = new Set<PermissionMode>(['acceptEdits', 'auto']);

/** Any caller may choose `default`, because it asks about everything and permits nothing more. */
function isListed(mode: PermissionMode, { callerModes }: PolicySettings): boolean {
  return mode === 'default' || callerModes.includes(mode);
}

/** Refuses modes that are not listed, and modes in which edits or more run without asking. */
export function refuseMode(
  mode: PermissionMode,
  chosenElsewhere: readonly (string | undefined)[],
  policy: PolicySettings,
  standing: CallerStanding,
): void {
  if (chosenElsewhere.includes(mode)) return;
  if (!isListed(mode, policy))
    throw new AppError('mode_unlisted', { mode, modes: listedModes(policy, standing) });
  if (!mayRunIn(mode, policy, standing)) throw new AppError('mode_auto_approving', { mode });
}

/** Those that the caller could choose. Whether it may bypass approval is decided elsewhere. */
function listedModes(policy: PolicySettings, standing: CallerStanding): readonly PermissionMode[] {
  const listed: readonly PermissionMode[] = ['default', ...policy.callerModes];
  return [...new Set(listed)].filter(
    (mode) => mode !== 'bypassPermissions' && mayChoose(mode, policy, standing),
  );
}

/** Whether a caller may choose a mode, whatever the user and the operator have chosen. */
export function mayChoose(mode: PermissionMode, policy: PolicySettings, standing: CallerStanding): boolean {
  return isListed(mode, policy) && mayRunIn(mode, policy, standing);
}

function mayRunIn(mode: PermissionMode, policy: PolicySettings, standing: CallerStanding): boolean {
  if (!autoApprovingModes.has(mode)) return true;
  return !isPersonAsked(policy, standing) && isWithinCeiling(mode, policy);
}

/** As with pre-approved tools, it is enough that a person can be asked, even before the first answer. */
function isPersonAsked(policy: PolicySettings, standing: CallerStanding): boolean {
  // The person decides themselves. Where only people approve, they are asked each time.
  if (standing.isPerson === true) return policy.approvals === 'human';
  return policy.preallow === undefined ? mayAskPerson(policy, standing) : isPersonNeeded(policy, standing);
}
