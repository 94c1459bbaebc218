import type { AllowAnswer, PermissionUpdate } from '../../core/session/inputs.js';
import type { PermissionMode } from '../../core/options/tools.js';

/** A permission update in Claude Code's format. Always scoped to the session, so it never writes a settings file. */
export type ClaudeUpdate =
  | { type: 'setMode'; mode: PermissionMode; destination: 'session' }
  | { type: 'addDirectories'; directories: string[]; destination: 'session' }
  | {
      type: 'addRules';
      rules: { toolName: string; ruleContent?: string }[];
      behavior: 'allow' | 'deny';
      destination: 'session';
    };

/** The updates that the approver requested in addition to allowing the call. */
export function namedUpdates({ nextMode, updates = [] }: AllowAnswer): ClaudeUpdate[] {
  return [...(nextMode === undefined ? [] : [toMode(nextMode)]), ...updates.map(toClaudeUpdate)];
}

function toMode(mode: PermissionMode): ClaudeUpdate {
  return { type: 'setMode', mode, destination: 'session' };
}

function toClaudeUpdate(update: PermissionUpdate): ClaudeUpdate {
  switch (update.type) {
    case 'setMode':
      return toMode(update.mode);
    case 'addDirectories':
      return { type: 'addDirectories', directories: [...update.directories], destination: 'session' };
    case 'addRules':
      return { type: 'addRules', rules: update.rules.map(toRule), behavior: 'allow', destination: 'session' };
    case 'denyRules':
      return { type: 'addRules', rules: update.rules.map(toRule), behavior: 'deny', destination: 'session' };
  }
}

function toRule(text: string): { toolName: string; ruleContent?: string } {
  const [, toolName = text, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
  return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
}
