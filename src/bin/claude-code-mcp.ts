#!/usr/bin/env node
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { createApp } from '../app/app.js';
import { parseArguments, type Arguments, type CommandName } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import type { ConfigFile } from '../config/config-file.js';
import { loadSettings, placeOf, type Loaded } from '../config/load.js';
import { depthVariable, stateDirOf } from '../config/settings.js';
import type { OpenAudit } from '../app/compose-audit.js';
import type { Logger } from '../core/observability/logger.js';
import { watchParent } from '../platform/parent-watch.js';
import { createLogger } from '../observability/logger.js';
import { createRedactor } from '../observability/redact/redact.js';
import { version } from './version.js';

/** After this time the client would kill the server, and its children would survive. */
const exitLimitMs = 2_800;

/** Imported on demand, so that the server itself does not pay for them. */
const outputOf: Readonly<Record<CommandName, (loaded: Loaded, args: Arguments) => Promise<string>>> = {
  async config(loaded, { json }) {
    const { configJson, configText } = await import('../commands/config.js');
    const { effectiveSettings } = await import('../app/effective-settings.js');
    const place = { environment: process.env, home: homedir(), cwd: process.cwd() };
    const inForce = { ...loaded, settings: effectiveSettings(loaded.settings, place) };
    return json ? configJson(inForce) : configText(inForce);
  },
  async 'audit verify'({ settings }, { json, head }) {
    const { auditVerify } = await import('../commands/audit.js');
    const stateDir = stateDirOf(settings, process.env, homedir());
    const { text, exitCode } = auditVerify({ settings, stateDir, head, json });
    process.exitCode = exitCode;
    return text;
  },
};

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
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  print(`claude-code-mcp: ${error.message}`);
  process.exitCode = 2;
}

async function main(args: readonly string[]): Promise<void> {
  const parsed = parseArguments(args);
  const { command, flags, configFile, help, version: showVersion } = parsed;
  if (showVersion) return void process.stdout.write(`${version}\n`);
  if (help !== undefined) return void process.stdout.write(await helpFor(help, command));
  const loaded = loadSettings(flags, process.env, await fileAt(configFile));
  if (command !== undefined) return void process.stdout.write(await outputOf[command](loaded, parsed));
  await serve(loaded);
}

async function helpFor(which: 'short' | 'all', command: CommandName | undefined): Promise<string> {
  const { commandHelp, fullHelp, shortHelp } = await import('../config/help.js');
  if (which === 'all') return fullHelp(version);
  return command === undefined ? shortHelp(version) : commandHelp(command);
}

async function fileAt(path: string | undefined): Promise<ConfigFile | undefined> {
  if (path === undefined) return undefined;
  const { readConfigFile } = await import('../config/config-file.js');
  return readConfigFile(path);
}

async function serve({ settings, sources, warnings }: Loaded): Promise<void> {
  redactor.learn(settings.resumeSecret === undefined ? [] : [settings.resumeSecret]);
  const logger = createLogger(settings.logLevel, {
    write: (line) => process.stderr.write(line),
    isTerminal: process.stderr.isTTY,
    now: Date.now,
    redactor,
  });
  for (const warning of warnings) logger.log('warn', warning);
  const app = await createApp({
    settings,
    version,
    logger,
    audit: await auditFor({ settings, sources, warnings }, logger),
    redactor,
    environment: process.env,
    executable:
      settings.claudePath === undefined
        ? undefined
        : await executableAt(settings.claudePath, placeOf('claudePath', sources.claudePath)),
    permissionServer: fileURLToPath(new URL('./permission-server.js', import.meta.url)),
    watchdog: fileURLToPath(new URL('./watchdog.js', import.meta.url)),
    home: homedir(),
    cwd: process.cwd(),
    depth: Number.parseInt(process.env[depthVariable] ?? '0', 10) || 0,
  });
  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), exitLimitMs);
    void app.close().finally(() => process.exit(code));
  };
  process
    .on('SIGINT', () => end(0))
    .on('SIGTERM', () => end(0))
    .on('SIGHUP', () => end(0));
  process.on('uncaughtException', (error) => {
    logger.log('error', 'uncaught exception', { reason: error.stack ?? error.message });
    end(1);
  });
  // Otherwise Node prints warnings to stderr as plain text, between our JSON lines.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => logger.log('debug', message, { name }));
  process.on('unhandledRejection', (reason) =>
    logger.log('error', 'unhandled rejection', { reason: String(reason) }),
  );
  void app.start().ended.then(() => end(0));
  watchParent(() => end(0), logger);
  if (process.stdin.isTTY) await welcome();
}

/** A person in a terminal would otherwise see a blank screen. */
async function welcome(): Promise<void> {
  const { answerTyping, greeting } = await import('../commands/terminal.js');
  const write = (text: string): void => void process.stderr.write(text);
  write(greeting(version, `node ${process.argv[1] ?? 'claude-code-mcp'}`));
  answerTyping(process.stdin, write);
}

async function auditFor({ settings, sources }: Loaded, logger: Logger): Promise<OpenAudit | undefined> {
  const { auditLog, auditRequired } = settings;
  if (auditLog === undefined) {
    if (!auditRequired) return undefined;
    const place = placeOf('auditRequired', sources.auditRequired);
    throw new ConfigError(
      `${place}: an audit log is required but not configured. Set CLAUDE_CODE_MCP_AUDIT_LOG.`,
    );
  }
  const { composeAudit } = await import('../app/compose-audit.js');
  const place = placeOf('auditLog', sources.auditLog);
  return composeAudit(auditLog, {
    settings,
    place,
    logger,
    redactor,
    environment: process.env,
    home: homedir(),
  });
}

async function executableAt(name: string, place: string): Promise<string> {
  const { findExecutable } = await import('../platform/find-executable.js');
  const path = findExecutable(name, { home: homedir(), searchPath: process.env['PATH'] });
  // Each session looks it up again, because its own folders must not supply it.
  if (path !== undefined) return name;
  throw new ConfigError(`${place}=${name}: must be an absolute path, ~/…, or a name on the PATH`);
}
