import { AppError } from '../core/errors.js';
import { joinRules, type PermissionRules } from '../core/options/permission-rules.js';
import type { SettingSource } from '../core/options/index.js';
import { oneLine } from '../core/text/escape.js';

/** They are part of one argument, which Linux limits to 128 KiB. */
const maxBytes = 100_000;

/** Rules in the settings of the machine, the user and the folder of a session, and how far the folder is trusted. */
export interface RuleFacts {
  readonly rules: {
    readonly managed: PermissionRules;
    readonly user: PermissionRules;
    readonly project: PermissionRules;
    readonly local: PermissionRules;
  };
  /** Whether the session's own folder is trusted. Other folders of the session may still not be. */
  readonly isCwdTrusted: boolean;
}

/**
 * The rules that a session gets besides its settings. Those that deny or ask always apply: a caller could otherwise drop
 * them by leaving out settings or adding an untrusted folder. Claude Code ignores the allow rules of a project that only
 * the operator trusts, so they apply where the project's settings do.
 */
export function permissionRulesOf(
  { rules: { managed, user, project, local }, isCwdTrusted }: RuleFacts,
  settingSources: readonly SettingSource[],
): PermissionRules | undefined {
  const { ask, deny } = joinRules([managed, user, local, ...(isCwdTrusted ? [project] : [])]);
  const allow = settingSources.includes('project') ? project.allow : [];
  if (allow.length + ask.length + deny.length === 0) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify([allow, ask, deny]));
  // Leaving some out would drop what they deny.
  if (bytes > maxBytes) throw new AppError('rules_too_long', { bytes, limit: maxBytes });
  return { allow, ask, deny };
}

const shownChars = 300;

/** A rule in an error. Rules of a repository can have any length, and read like words of this server. */
export function quotedRule(rule: string): string {
  return JSON.stringify(oneLine(rule, shownChars));
}
