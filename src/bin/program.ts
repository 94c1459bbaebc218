/** How each program of this package begins: stdout stays clean, secrets stay out of stderr, and a wrong setting ends it. */
import { format } from 'node:util';
import { parseArguments, type Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import type { ConfigFile } from '../config/config-file.js';
import { loadSettings, type Loaded } from '../config/load.js';
import { serviceFallbacks } from '../config/service-settings.js';
import type { Redactor } from '../core/observability/redactor.js';
import { createRedactor } from '../observability/redact/redact.js';
import { fitted } from './fitted.js';
import { inTyped } from './typed.js';

export async function runProgram(
  main: (args: Arguments, redactor: Redactor) => Promise<void>,
): Promise<void> {
  // Otherwise the home folder, here and in Claude Code, would be the working directory of each process.
  if (process.env['HOME'] === '') delete process.env['HOME'];
  const redactor = createRedactor(process.env);
  const print = (...words: unknown[]): void => {
    process.stderr.write(`${redactor.redact(format(...words))}\n`);
  };
  // stdout carries JSON-RPC only: a library that prints there would break the connection.
  console.log = console.info = console.debug = console.warn = console.error = print;
  // Otherwise the next log line would crash the server after the client has closed our stderr.
  process.stderr.on('error', () => undefined);
  try {
    await main(parseArguments(process.argv.slice(2)), redactor);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // It can name a folder or quote a file.
    const { escapeHidden } = await import('../core/text/escape.js');
    const message = escapeHidden(redactor.redact(`claude-code-mcp: ${inTyped(error.message)}`));
    process.stderr.write(`${fitted(message, process.stderr)}\n`);
    process.exitCode = 2;
  }
}

export async function settingsFor({ command, flags, own, configFile }: Arguments): Promise<Loaded> {
  const fallbacks = command === 'serve' || own.service === '1' ? serviceFallbacks : {};
  return loadSettings(flags, process.env, await fileAt(configFile), fallbacks);
}

async function fileAt(path: string | undefined): Promise<ConfigFile | undefined> {
  if (path === undefined) return undefined;
  const { readConfigFile } = await import('../config/config-file.js');
  return readConfigFile(path);
}
