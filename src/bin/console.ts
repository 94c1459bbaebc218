/**
 * The commands for a person in a terminal. A program of its own, so that the server over stdin and stdout neither
 * contains nor loads any of it.
 */
import { isOf, type CommandOf } from '../config/commands.js';
import type { Arguments } from '../config/arguments.js';
import { CommandFailure } from '../console/terminal/failure.js';
import { escapeHidden } from '../core/text/escape.js';
import { fitted } from './fitted.js';
import { refuseInSession } from './people-only.js';
import { runProgram } from './program.js';
import { inTyped } from './typed.js';

/** Each returns what it prints to stdout at its end. */
const runs: Readonly<Record<CommandOf<'console'>, (args: Arguments) => Promise<string>>> = {
  doctor: async (args) => (await import('./doctor.js')).doctor(args, import.meta.url),
  login: async (args) => (await import('./sign-in.js')).signIn('login', args),
  logout: async (args) => (await import('./sign-in.js')).signIn('logout', args),
  sessions: async (args) => (await import('./session-commands.js')).sessions(args),
  show: async (args) => (await import('./session-commands.js')).show(args),
  watch: async (args) => (await import('./session-commands.js')).watch(args),
  resume: async (args) => (await import('./session-commands.js')).resume(args),
  trust: async (args) => inTyped(await (await import('./trust-commands.js')).trust(args)),
  untrust: async (args) => inTyped(await (await import('./trust-commands.js')).untrust(args)),
  completion: async (args) => (await import('./completion-command.js')).completion(args),
  install: async (args) => (await import('./install.js')).install('install', args, import.meta.url),
  uninstall: async (args) => (await import('./install.js')).install('uninstall', args, import.meta.url),
};

// A reader such as `head` may leave early.
process.stdout.on('error', () => process.exit());

await runProgram(async (args) => {
  const { command } = args;
  if (!isOf('console', command)) return;
  await refuseInSession(command);
  try {
    process.stdout.write(await runs[command](args));
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    process.stderr.write(
      `${fitted(escapeHidden(`claude-code-mcp: ${inTyped(error.message)}`), process.stderr)}\n`,
    );
    process.exitCode = 1;
  }
});
