import { join } from 'node:path';
import type { GateDecision } from '../../core/claude/gate.js';
import { isInside } from '../../core/paths.js';
import { isAroundAutostart, isAutostartFile, isInUnknownFolder, isNamedAutostart } from './autostart.js';
import type { JudgedCall, Target } from './call.js';
import { folderOf, isEditing, isReading, mayCover, reachesOutside, wholePathOf } from './file-rules.js';
import { lastingReason } from './lasting.js';
import { isOfProject, isOwnRecord, otherSessionReason, type RecordFacts } from './other-sessions.js';
import { isReadOnly } from './read-only.js';
import { isSecondName, secondNameReason } from './second-names.js';
import { isSkill, skillArguments } from './skill-call.js';

export interface GateFacts extends RecordFacts {
  /** Whether every call that is not read-only needs approval, regardless of Claude Code's own rules. */
  readonly isHumanOnly: boolean;
  /** Whether a plan of the session waits for its review. */
  readonly isPlanOpen?: boolean | undefined;
  /** Tools that the policy pre-approved for the caller. */
  readonly allowedTools: readonly string[];
  /** Rules granted during the session. */
  readonly grantedRules?: readonly string[] | undefined;
  /** Allow rules in the settings of the project. */
  readonly projectRules?: readonly string[] | undefined;
  /**
   * Other folders that it has moved into, such as worktrees. Claude Code takes them for its own. The folder of a call
   * does not show whether it has left them: a command can return to one of its own folders meanwhile.
   */
  readonly enteredFolders?: readonly string[] | undefined;
  /** Whether it has used a skill or a command, which can let tools run without approval. */
  readonly hasUsedSkill?: boolean | undefined;
  /** Whether language servers of the user must not run, because a folder of the session is not trusted. */
  readonly hasUntrustedFolder?: boolean | undefined;
  /** The folders of the session, if they bound reading and editing; undefined if Claude Code alone decides. */
  readonly folders?: readonly string[] | undefined;
  /** Rules of the operator: those with an absolute path extend the folders. */
  readonly operatorRules?: readonly string[] | undefined;
}

/**
 * Sends calls to the broker that Claude Code's own rules would let through. Bare allowedTools, the user's allow rules
 * and a repository's hooks would otherwise bypass the approver.
 */
export function judgeToolCall(call: JudgedCall, facts: GateFacts): GateDecision {
  const { toolName, permissionMode } = call;
  const isHarmless = isReadOnly(call);
  const autostart = isHarmless ? undefined : autostartReason(call, facts);
  if (autostart !== undefined) return { ask: autostart, isGrantable: false };
  if (hasUnknownTargets(call))
    return {
      ask: 'Where this call leads could not be checked, because it names too many files, or links that cannot be followed',
      isGrantable: false,
    };
  if (toolName === 'ExitPlanMode' && (permissionMode === 'plan' || facts.isHumanOnly)) {
    return { ask: 'Claude may carry out a plan only after it is approved', isGrantable: false };
  }
  const records = otherSessionReason(call, facts);
  if (records !== undefined) return { ask: records, isGrantable: true };
  const unseen = unseenReason(call, facts);
  if (unseen !== undefined) return { ask: unseen, isGrantable: true };
  const outside = outsideReason(call, facts) ?? secondNameReason(call);
  if (isHarmless)
    return outside === undefined ? unlessSent(call, facts) : { ask: outside, isGrantable: true };
  if (permissionMode === 'plan') return whilePlanning(call, facts);
  const lasting = permissionMode === 'bypassPermissions' ? undefined : lastingReason(call, facts);
  if (lasting !== undefined) return { ask: lasting, isGrantable: true };
  if (outside !== undefined) return { ask: outside, isGrantable: true };
  return unlessPersonOnly(call, facts);
}

/** Quoted words can be more than those that the whole command seems to have. */
function hasUnknownTargets({ hasMoreTargets, command }: JudgedCall): boolean {
  if (hasMoreTargets === true) return true;
  return command !== undefined && (command.edits === undefined || command.moves === undefined);
}

/** These change nothing, but an address or a search can carry the contents of a file. */
const sendingTools: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);

function unlessSent(call: JudgedCall, facts: GateFacts): GateDecision {
  return sendingTools.has(call.toolName) ? unlessPersonOnly(call, facts) : 'pass';
}

function unlessPersonOnly({ toolName }: JudgedCall, { isHumanOnly, allowedTools }: GateFacts): GateDecision {
  if (!isHumanOnly || allowedTools.includes(toolName)) return 'pass';
  return {
    ask: 'This server asks a person before each call that can change or send something. Allow it if you want it to run',
    isGrantable: true,
  };
}

/** Why a call could do more than it shows. */
function unseenReason(call: JudgedCall, facts: GateFacts): string | undefined {
  return mentionReason(call, facts) ?? servingReason(call, facts);
}

/** Claude Code reads every `@file` in a skill, including those that its arguments complete, before any tool call. */
function mentionReason(
  { toolName, input, permissionMode }: JudgedCall,
  facts: GateFacts,
): string | undefined {
  if (!isSkill(toolName) || permissionMode === 'bypassPermissions') return undefined;
  const args = skillArguments(input);
  const isNaming = facts.folders === undefined ? args.includes('@') : args !== '';
  return isNaming ? 'A skill can read files that its arguments name' : undefined;
}

/** A process may have started language servers before an approval added an untrusted folder. */
function servingReason(
  { toolName, permissionMode }: JudgedCall,
  { hasUntrustedFolder = false }: GateFacts,
): string | undefined {
  return toolName === 'LSP' && hasUntrustedFolder && permissionMode !== 'bypassPermissions'
    ? 'A language server can run code of a folder, and one of this session is not trusted'
    : undefined;
}

/** Other tools would start the programs that such a file names. */
function autostartReason(
  { toolName, input, targets, permissionMode, command }: JudgedCall,
  { ownFolders = [], enteredFolders = [] }: GateFacts,
): string | undefined {
  if (isEditing(toolName) && targets.some((target) => isAutostartFile(target) || isSecondName(target))) {
    return 'This file can make other tools start programs';
  }
  const isUnknown = (target: Target): boolean =>
    isInUnknownFolder(target, [...ownFolders, ...enteredFolders]);
  if (isEditing(toolName) && permissionMode !== 'bypassPermissions' && targets.some(isUnknown)) {
    return 'This file is in a hidden folder, from which other tools may start programs';
  }
  const { edits = [], moves = [] } = command ?? {};
  // A move gives a file its path from two words: `mv hooks .github`.
  const isAround = (target: Target): boolean =>
    isAroundAutostart(target) && !ownFolders.includes(target.real);
  const isNamed = typeof input['command'] === 'string' && targets.some(isNamedAutostart);
  return isNamed || edits.some(isAutostartFile) || moves.some(isAround)
    ? 'This command names a file that can make other tools start programs'
    : undefined;
}

/** Claude may write its plan, but not while someone reviews it. */
function whilePlanning(call: JudgedCall, facts: GateFacts): GateDecision {
  if (!isPlanFile(call, facts)) return { ask: 'Plan mode is read-only', isGrantable: false };
  return facts.isPlanOpen === true ? { ask: 'A plan is being reviewed', isGrantable: false } : 'pass';
}

function isPlanFile({ toolName, targets }: JudgedCall, { claudeDir }: GateFacts): boolean {
  const [target] = targets;
  return isEditing(toolName) && target !== undefined && isInside(target.real, join(claudeDir, 'plans'));
}

/** Why a call could reach beyond the session's folders. */
function outsideReason(call: JudgedCall, facts: GateFacts): string | undefined {
  return leavesFolders(call, facts) ? outside : commandReason(call, facts);
}

const outside = "This path is outside the session's folders";

/** In these modes, Claude Code asks about files outside the folders unless a rule lets it read or edit them. */
const askingModes: ReadonlySet<string> = new Set(['default', 'acceptEdits', 'plan', 'dontAsk']);

/**
 * Pre-approvals and rules of the project cover the session's own folders, where Claude Code would apply them to the whole
 * disk. So do a mode that does not ask, and the rules that a skill brings.
 */
function leavesFolders(call: JudgedCall, facts: GateFacts): boolean {
  const { toolName, targets } = call;
  const { folders } = facts;
  if (folders === undefined || (!isReading(toolName) && !isEditing(toolName))) return false;
  const isUnasked = mayRunUnasked(call, facts, folders);
  if (!isUnasked && !isHeldOutside(call, facts)) return false;
  const isNear = isWithin([...folders, ...operatorPaths(toolName, facts)]);
  // Claude Code asks about the plans of other sessions and the memory of other projects, if it asks at all.
  const isOwn = (target: Target): boolean =>
    isOwnRecord(target, facts) || (!isUnasked && isOfProject(target, facts));
  return !targets.every((target) => isNear(target) || (isReading(toolName) && isOwn(target)));
}

/** Whether something could let Claude Code read or edit any file without asking. */
function mayRunUnasked(
  { toolName, permissionMode }: JudgedCall,
  { allowedTools, grantedRules = [], projectRules = [], hasUsedSkill = false }: GateFacts,
  folders: readonly string[],
): boolean {
  const leaving = projectRules.filter((rule) => !rule.includes('(') || reachesOutside(rule, folders));
  if ([...allowedTools, ...grantedRules, ...leaving].some((rule) => mayCover(rule, toolName))) return true;
  return permissionMode !== 'bypassPermissions' && (hasUsedSkill || !askingModes.has(permissionMode));
}

/** Whether files outside the folders need approval even if Claude Code asks about most of them. */
function isHeldOutside(
  { permissionMode }: JudgedCall,
  { isHumanOnly, enteredFolders = [] }: GateFacts,
): boolean {
  return permissionMode !== 'bypassPermissions' && (isHumanOnly || enteredFolders.length > 0);
}

/** Claude Code runs many commands that read without asking, and compares only some of their words with the folders. */
function commandReason(
  { toolName, command, permissionMode }: JudgedCall,
  facts: GateFacts,
): string | undefined {
  const { folders, allowedTools } = facts;
  if (command === undefined || folders === undefined || permissionMode === 'bypassPermissions')
    return undefined;
  if (allowedTools.includes(toolName)) return undefined;
  if (command.reads === undefined) return 'This command can read files that it does not name';
  return command.reads.every(isWithin([...folders, ...wholePaths(facts)])) ? undefined : outside;
}

/** What the operator lets every reader read. */
function wholePaths({ allowedTools, grantedRules = [], operatorRules = [] }: GateFacts): string[] {
  const isReadAllowed = [...allowedTools, ...grantedRules].some((rule) => mayCover(rule, 'Read'));
  const rules = isReadAllowed ? operatorRules.filter((rule) => mayCover(rule, 'Read')) : [];
  return rules.flatMap((rule) => wholePathOf(rule) ?? []);
}

function isWithin(folders: readonly string[]): (target: Target) => boolean {
  return ({ real }) => folders.some((folder) => isInside(real, folder));
}

/**
 * Where the operator's rules let a tool go. Claude Code compares each path with the pattern of a rule, but a whole tool
 * such as Read has none.
 */
function operatorPaths(toolName: string, facts: GateFacts): string[] {
  const { allowedTools, grantedRules = [], operatorRules = [] } = facts;
  const isWhole = [...allowedTools, ...grantedRules].some(
    (rule) => mayCover(rule, toolName) && !rule.includes('('),
  );
  const pathOf = isWhole ? wholePathOf : folderOf;
  return operatorRules.filter((rule) => mayCover(rule, toolName)).flatMap((rule) => pathOf(rule) ?? []);
}
