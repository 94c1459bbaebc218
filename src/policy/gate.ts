import type { GateDecision, ToolCall } from '../core/gate.js';
import { isInside } from './folders.js';
import { isReadOnly } from './read-only.js';

export interface GateFacts {
  /** Where Claude Code keeps its plans: writing one is what plan mode is for. */
  readonly plansDir: string;
  /** Whether everything that is not read-only must be asked, whatever Claude Code's own rules say. */
  readonly isHumanOnly: boolean;
  /** What the policy let the caller have run unasked. */
  readonly allowedTools: readonly string[];
}

/** Files by which other clients and tools start programs; Claude Code's own list does not have them. */
const launchFiles: readonly RegExp[] = [
  /(^|[\\/])\.cursor[\\/]mcp\.json$/i,
  /(^|[\\/])\.codex[\\/]config\.toml$/i,
  /(^|[\\/])\.gemini[\\/]settings\.json$/i,
  /(^|[\\/])opencode\.jsonc?$/i,
  /(^|[\\/])node_modules[\\/]\.bin[\\/]/i,
];

const editingTools: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * Makes the broker the only road where Claude Code's own rules would go round it: bare allowedTools, the user's
 * allow rules and a repository's hooks never reach the question of whether somebody approves.
 */
export function judgeToolCall(
  { toolName, input, permissionMode }: ToolCall,
  { plansDir, isHumanOnly, allowedTools }: GateFacts,
): GateDecision {
  const path = editingTools.has(toolName) ? pathOf(input) : undefined;
  if (path !== undefined && launchFiles.some((file) => file.test(path))) {
    return { ask: 'This file decides which programs other tools start', isGrantable: false };
  }
  if (toolName === 'ExitPlanMode' && (permissionMode === 'plan' || isHumanOnly)) {
    return { ask: 'A plan is carried out when somebody has approved it', isGrantable: false };
  }
  if (isReadOnly(toolName, input)) return 'pass';
  if (permissionMode === 'plan') {
    return path !== undefined && isInside(path, plansDir)
      ? 'pass'
      : { ask: 'Plan mode is read-only', isGrantable: false };
  }
  if (!isHumanOnly || allowedTools.includes(toolName)) return 'pass';
  return { ask: 'Only a person may approve on this server', isGrantable: true };
}

function pathOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const path = input['file_path'] ?? input['notebook_path'];
  return typeof path === 'string' ? path : undefined;
}
