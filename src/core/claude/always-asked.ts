import { autostartFiles } from './autostart-files.js';

/** Rules that make Claude Code ask in every mode, for a backend without a gate. They do not apply to commands. */
export const alwaysAsked: readonly string[] = autostartFiles.map(toRule);

/** Rules that ask before calls that the gate holds, and about which Claude Code would not ask. */
export const lastingAsked: readonly string[] = [
  'CronCreate',
  'CronDelete',
  'EnterWorktree',
  'ExitWorktree',
  'ReadMcpResourceTool',
  'ReadMcpResourceDirTool',
  // Later sessions read these as their memory.
  ...['projects/*/memory/**', 'agent-memory/**', 'agent-memory-local/**'].map(toRule),
];

/** Tools that can read files that none of their arguments names as a path: by a command, or by `@file` in a skill. */
export const commandTools: readonly string[] = ['Bash', 'Monitor', 'PowerShell', 'Skill'];

function toRule(files: string): string {
  return `Edit(//**/${files})`;
}
