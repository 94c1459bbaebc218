/**
 * The commands for a person in a terminal. A program of its own, so that the server over stdin and stdout neither
 * contains nor loads any of it.
 */
import { commands, isOf, type Command, type CommandOf } from '../config/commands.js';
import type { Arguments } from '../config/arguments.js';
import { refuseInSession } from './people-only.js';
import { runProgram } from './program.js';

/** Each returns what it prints to stdout at its end. */
const runs: Readonly<Record<CommandOf<'console'>, (args: Arguments) => Promise<string>>> = {
  doctor: async (args) => (await import('./doctor.js')).doctor(args),
  install: async (args) => (await import('./install.js')).install('install', args, import.meta.url),
  uninstall: async (args) => (await import('./install.js')).install('uninstall', args, import.meta.url),
};

await runProgram(async (args) => {
  const { command } = args;
  if (!isOf('console', command)) return;
  const { isForPeople }: Command = commands[command];
  if (isForPeople === true) await refuseInSession(command);
  process.stdout.write(await runs[command](args));
});
