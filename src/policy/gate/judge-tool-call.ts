import { autostartFiles } from '../../core/claude/autostart-files.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import { isInside } from '../../core/paths.js';
import { isReadOnly } from './read-only.js';

export interface GateFacts {
  /** Where Claude Code stores its plans: plan mode must be able to write them. */
  readonly plansDir: string;
  /** Whether every call that is not read-only needs approval, whatever Claude Code's own rules say. */
  readonly isHumanOnly: boolean;
  /** Tools that the policy pre-approved for the caller. */
  readonly allowedTools: readonly string[];
  /** Rules granted during the session. */
  readonly grantedRules?: readonly string[] | undefined;
  /** The folders of the session, if they bound reading; undefined if Claude Code alone decides. */
  readonly readableFolders?: readonly string[] | undefined;
}

/**
 * Matched in commands, because copying or moving such a file edits it. Excludes node_modules/.bin, whose programs are
 * run routinely.
 */
const namesAutostartFile = /\.(cursor|codex|gemini|zed|windsurf|roo|kiro|amazonq)\b|\bopencode\.jsonc?\b/i;

const readingTools: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);

/** Whether the tool reads files, so that `readableFolders` bounds it regardless of any rule. */
export function isReading(toolName: string): boolean {
  return readingTools.has(toolName);
}

const editingTools: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * Sends calls to the broker that Claude Code's own rules would let through. Bare allowedTools, the user's allow rules
 * and a repository's hooks would otherwise bypass the approver.
 */
export function judgeToolCall(
  { toolName, input, permissionMode, realTarget }: ToolCall,
  facts: GateFacts,
): GateDecision {
  const { plansDir, isHumanOnly, allowedTools } = facts;
  const path = editingTools.has(toolName) ? (realTarget ?? pathOf(input)) : undefined;
  const autostart = autostartReason(toolName, input, path);
  if (autostart !== undefined) return { ask: autostart, isGrantable: false };
  if (toolName === 'ExitPlanMode' && (permissionMode === 'plan' || isHumanOnly)) {
    return { ask: 'Claude may carry out a plan only after it is approved', isGrantable: false };
  }
  if (isReadOnly(toolName, input)) {
    return readsElsewhere(toolName, realTarget, facts)
      ? { ask: "This path is outside the session's folders", isGrantable: true }
      : 'pass';
  }
  if (permissionMode === 'plan') {
    return path !== undefined && isInside(path, plansDir)
      ? 'pass'
      : { ask: 'Plan mode is read-only', isGrantable: false };
  }
  if (!isHumanOnly || allowedTools.includes(toolName)) return 'pass';
  return { ask: 'Only a person may approve on this server', isGrantable: true };
}

/** Other tools would start the programs that such a file names. */
function autostartReason(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  path: string | undefined,
): string | undefined {
  if (path !== undefined && isAutostartFile(path)) return 'This file can make other tools start programs';
  const { command } = input;
  if (typeof command !== 'string' || !namesAutostartFile.test(command) || isReadOnly(toolName, input))
    return undefined;
  return 'This command names a file that can make other tools start programs';
}

function isAutostartFile(path: string): boolean {
  const whole = `/${path.replaceAll('\\', '/').toLowerCase()}`;
  return autostartFiles.some((file) =>
    file.endsWith('/*') ? whole.includes(`/${file.slice(0, -1)}`) : whole.endsWith(`/${file}`),
  );
}

/** Pre-approvals by a caller cover the session's own folders. Claude Code would apply them to the whole disk. */
function readsElsewhere(
  toolName: string,
  target: string | undefined,
  { allowedTools, grantedRules = [], readableFolders }: GateFacts,
): boolean {
  if (readableFolders === undefined || target === undefined || !isReading(toolName)) return false;
  const isPreAllowed = [...allowedTools, ...grantedRules].some((rule) => rule.split('(', 1)[0] === toolName);
  return isPreAllowed && !readableFolders.some((folder) => isInside(target, folder));
}

function pathOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const path = input['file_path'] ?? input['notebook_path'];
  return typeof path === 'string' ? path : undefined;
}
