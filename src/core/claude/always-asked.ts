import { autostartFiles } from './autostart-files.js';

/** Rules that make Claude Code ask in every mode, for a backend without a gate. They do not apply to commands. */
export const alwaysAsked: readonly string[] = [
  ...[
    ...autostartFiles,
    // Later sessions read these as their memory.
    '.claude/agent-memory/**',
    '.claude/agent-memory-local/**',
    '.claude/projects/*/memory/**',
  ].map((file) => `Edit(//**/${file})`),
  // Their effect outlasts the session.
  'CronCreate',
  'CronDelete',
  'EnterWorktree',
  'ExitWorktree',
];
