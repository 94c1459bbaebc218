import { isAbsolute, join, relative } from 'node:path';
import { isInside } from '../../core/paths.js';
import type { JudgedCall } from './call.js';
import { isReading } from './file-rules.js';

export interface UnaskedFacts {
  /** The folders of the session. */
  readonly folders: readonly string[];
  /** Where Claude Code stores its plans. */
  readonly claudeDir: string;
  /** Rules of the machine, the user and the folder that ask about a call. */
  readonly askRules: readonly string[];
}

/** Tools that neither change anything nor read a file. */
const inertTools: ReadonlySet<string> = new Set([
  'TodoWrite',
  'ToolSearch',
  'StructuredOutput',
  'ListAgents',
  'CronList',
  'TaskList',
  'TaskGet',
  'TaskOutput',
  'EnterPlanMode',
]);

/**
 * Whether Claude Code would run a call that passed the gate without asking, had it not been told to ask about
 * everything. False in any doubt, and if a rule asks about such calls.
 */
export function isUnaskedCall(call: JudgedCall, { folders, claudeDir, askRules }: UnaskedFacts): boolean {
  const { toolName, input, permissionMode } = call;
  const realTarget = call.targets[0]?.real;
  if (askRules.some((rule) => mayConcern(rule, toolName))) return false;
  if (inertTools.has(toolName)) return true;
  // The calls of a subagent are asked about one by one, but an isolated worktree is created before it starts.
  if (toolName === 'Agent' || toolName === 'Task') return input['isolation'] === undefined;
  // Claude Code may have changed to another folder, so only an absolute path is certain.
  if (realTarget === undefined || !isAbsolute(String(input['file_path'] ?? input['path']))) return false;
  const folder = folders.find((one) => isInside(realTarget, one));
  if (isReading(toolName)) return folder !== undefined;
  if (toolName !== 'Write' && toolName !== 'Edit') return false;
  if (permissionMode === 'plan') return isInside(realTarget, join(claudeDir, 'plans'));
  // Names that begin with a dot can be settings, which Claude Code protects.
  const isPlain = folder !== undefined && !/(^|[\\/])\./.test(relative(folder, realTarget));
  return permissionMode === 'acceptEdits' && isPlain;
}

/** A rule for Read also covers the other tools that read. */
function mayConcern(rule: string, toolName: string): boolean {
  const [name = ''] = rule.split('(', 1);
  return name === toolName || name.includes('*') || (name === 'Read' && isReading(toolName));
}
