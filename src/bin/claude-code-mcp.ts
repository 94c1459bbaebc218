#!/usr/bin/env node
import { homedir } from 'node:os';
import { readAnswers } from '../app/opening/read-answers.js';
import { StdioServer } from '../app/opening/stdio-server.js';
import type { Arguments } from '../config/arguments.js';
import { isOf, type LocalCommand } from '../config/commands.js';
import type { Loaded } from '../config/load.js';
import { stateDirOf } from '../config/settings.js';
import type { Redactor } from '../core/observability/redactor.js';
import { watchParent } from '../platform/parent-watch.js';
import { runProgram, settingsFor } from './program.js';
import { appConfigOf, endInOrder } from './run.js';
import { commandAnywhere, inTyped, typedCommand } from './typed.js';
import { version } from './version.js';

/** Imported on demand, so that the server itself does not pay for them. */
const outputOf: Readonly<Record<LocalCommand, (loaded: Loaded, args: Arguments) => Promise<string>>> = {
  async config(loaded, { json, own: { service } }) {
    const { configJson, configText, pageState } = await import('../commands/config.js');
    const { effectiveSettings } = await import('../app/effective-settings.js');
    const place = { environment: process.env, home: homedir(), cwd: process.cwd() };
    const web = pageState(loaded.settings, service === '1');
    const inForce = { ...loaded, settings: { ...effectiveSettings(loaded.settings, place), web } };
    return json ? configJson(inForce) : configText(inForce);
  },
  async 'audit verify'({ settings }, { json, own: { head } }) {
    const { auditVerify } = await import('../commands/audit.js');
    const stateDir = stateDirOf(settings, process.env, homedir());
    const { text, exitCode } = auditVerify({ settings, stateDir, head, json });
    process.exitCode = exitCode;
    return text;
  },
};

await runProgram(async (args, redactor) => {
  const { command, help } = args;
  if (args.version) return void process.stdout.write(`${version}\n`);
  if (help !== undefined) return void process.stdout.write(await helpFor(help, command));
  // By their URLs, because the bundler must keep them apart.
  if (isOf('service', command)) return void (await import(new URL('./service.js', import.meta.url).href));
  if (isOf('console', command)) return void (await import(new URL('./console.js', import.meta.url).href));
  const loaded = await settingsFor(args);
  if (command === undefined) return serve(loaded, redactor);
  process.stdout.write(await outputOf[command](loaded, args));
});

async function helpFor(
  which: NonNullable<Arguments['help']>,
  command: Arguments['command'],
): Promise<string> {
  const { commandHelp, fullHelp, settingsHelp, shortHelp } = await import('../config/help.js');
  if (which === 'all') return inTyped(fullHelp(version));
  if (which === 'settings') return inTyped(settingsHelp());
  return inTyped(command === undefined ? shortHelp(version) : commandHelp(command));
}

async function serve(loaded: Loaded, redactor: Redactor): Promise<void> {
  const parts = await appConfigOf(loaded, redactor, import.meta.url);
  const answers = readAnswers(new URL('./openings/', import.meta.url), parts);
  const config = { ...parts, answers, command: commandAnywhere() };
  const server = new StdioServer(config);
  const end = endInOrder(server, config.logger);
  server.serve().then(
    () => end(0),
    (error: unknown) => {
      config.logger.log('error', 'the server could not be started', { reason: String(error) });
      end(1);
    },
  );
  watchParent(() => end(0), config.logger);
  if (process.stdin.isTTY) await welcome();
}

/** A person in a terminal would otherwise see a blank screen. */
async function welcome(): Promise<void> {
  const { answerTyping, greeting } = await import('../commands/terminal.js');
  const write = (text: string): void => void process.stderr.write(text);
  write(greeting(version, typedCommand()));
  answerTyping(process.stdin, write);
}
