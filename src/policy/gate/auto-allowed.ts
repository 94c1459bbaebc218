import { isAbsolute, join, relative } from 'node:path';
import { lastingAsked } from '../../core/claude/always-asked.js';
import { isAgentTool } from '../../core/claude/claude-tools.js';
import { toolOfRule } from '../../core/options/permission-rules.js';
import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isEditing, isReading } from './file-rules.js';
import { onlyReads } from './read-only.js';
import { isSkill, skillArguments } from './skill-call.js';

export interface AutoAllowFacts {
  /** The folders of the session. */
  readonly folders: readonly string[];
  /** Where Claude Code stores its plans, memory and settings. */
  readonly claudeDir: string;
  /** Rules of the machine, the user and the folder that ask about a call. */
  readonly askRules: readonly string[];
  /** Whether the process asks about every call; otherwise only about calls that may have a lasting effect. */
  readonly asksFirst: boolean;
  /** Whether the process asks about every command. */
  readonly asksCommands: boolean;
}

/** Tools that change no file and read none. The gate holds those whose effect outlasts the session. */
const inertTools: ReadonlySet<string> = new Set([
  'TodoWrite',
  'ToolSearch',
  'StructuredOutput',
  'ListAgents',
  'CronCreate',
  'CronList',
  'ExitWorktree',
  'TaskList',
  'TaskGet',
  'TaskOutput',
  'EnterPlanMode',
]);

/**
 * Whether Claude Code would run a call that passed the gate without asking, had it not been told to ask about
 * everything. False in any doubt, and if a rule asks about such calls.
 */
export function isAutoAllowed(call: JudgedCall, facts: AutoAllowFacts): boolean {
  const { toolName, input, targets, command } = call;
  const { folders, askRules, asksFirst, asksCommands } = facts;
  if (askRules.some((rule) => mayConcern(rule, toolName))) return false;
  if (command !== undefined && (asksFirst || asksCommands)) return readsOnlyInside(call, folders);
  if (isSkill(toolName) && asksCommands && !asksFirst) return skillArguments(input) === '';
  // Any other question is Claude Code's own, or that of a hook.
  if (!asksFirst) return inertTools.has(toolName) && lastingAsked.includes(toolName);
  if (inertTools.has(toolName)) return true;
  // The calls of a subagent are asked about one by one, but an isolated worktree is created before it starts.
  if (isAgentTool(toolName)) return input['isolation'] === undefined;
  const [target] = targets;
  // Claude Code may have changed to another folder, so only an absolute path is certain.
  if (target === undefined || !isAbsolute(String(input['file_path'] ?? input['path']))) return false;
  return isAutoAllowedFile(call, facts, target);
}

function isAutoAllowedFile(
  { toolName, permissionMode }: JudgedCall,
  { folders, claudeDir }: AutoAllowFacts,
  target: Target,
): boolean {
  const folder = folders.find((one) => isInside(target.real, one));
  if (isReading(toolName)) return folder !== undefined;
  if (toolName !== 'Write' && toolName !== 'Edit') return false;
  if (permissionMode === 'plan') return isInside(target.real, join(claudeDir, 'plans'));
  // Names that begin with a dot can be settings, which Claude Code protects.
  const isPlain = folder !== undefined && !/(^|[\\/])\./.test(relative(folder, target.real));
  return permissionMode === 'acceptEdits' && isPlain;
}

function readsOnlyInside(call: JudgedCall, folders: readonly string[]): boolean {
  const isInFolder = ({ real }: Target): boolean => folders.some((folder) => isInside(real, folder));
  return onlyReads(call) && call.command?.reads?.every(isInFolder) === true;
}

/** A rule for one file tool also covers others, and the tool that starts a subagent has two names. */
function mayConcern(rule: string, toolName: string): boolean {
  const name = toolOfRule(rule);
  if (name === toolName || name.includes('*')) return true;
  return [isFileTool, isAgentTool].some((isAlike) => isAlike(name) && isAlike(toolName));
}

function isFileTool(name: string): boolean {
  return isReading(name) || isEditing(name);
}
