import { homedir } from 'node:os';
import { locateClaude } from '../app/located-claude.js';
import type { Arguments } from '../config/arguments.js';
import { ownVariables } from '../config/settings.js';
import { installClaude } from '../console/doctor/claude.js';
import { CommandFailure } from '../console/terminal/failure.js';
import { hasCredentials } from '../core/claude/credentials.js';
import { messageOf } from '../core/errors.js';
import { handOver } from '../platform/hand-over.js';
import { childEnvironment } from '../policy/child-environment.js';
import { settingsFor } from './program.js';

/** Runs the command of Claude Code itself, in the same configuration as sessions. */
export async function signIn(command: 'login' | 'logout', args: Arguments): Promise<string> {
  const { settings } = await settingsFor(args);
  // Not in the current folder, whose settings could name another account.
  const cwd = homedir();
  const claude = locateClaude(settings, { environment: process.env, home: cwd });
  if (claude === undefined) throw new CommandFailure(`Claude Code was not found. ${installClaude}`);
  // It would wait for a code that nothing can type.
  if (command === 'login' && !process.stdin.isTTY) throw new CommandFailure(noTerminal);
  const options = command === 'login' && args.own.console === '1' ? ['--console'] : [];
  process.exitCode = await handOver({
    file: claude.path,
    args: ['auth', command, ...options],
    cwd,
    env: childEnvironment(process.env, { ownVariables, cwd: process.cwd() }),
  }).catch((error: unknown) => {
    throw new CommandFailure(`${claude.path} could not be started (${messageOf(error)}). ${installClaude}`);
  });
  const isOverruled = command === 'login' && process.exitCode === 0 && hasCredentials(process.env);
  return isOverruled ? note : '';
}

const noTerminal =
  'login needs a terminal, because you open a link and paste a code. In a terminal, run: claude-code-mcp login. Without a terminal, set ANTHROPIC_API_KEY in the environment of the server.';
const note =
  'Note: a variable of this terminal, such as ANTHROPIC_API_KEY, also signs Claude Code in, and takes precedence.\n';
