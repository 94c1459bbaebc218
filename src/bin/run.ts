/** What both ways of serving need: the parts that the process supplies, and an orderly end. */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { AppConfig } from '../app/app.js';
import type { OpenAudit } from '../app/compose-audit.js';
import { ConfigError } from '../config/config-error.js';
import { placeOf, type Loaded } from '../config/load.js';
import { depthVariable, type Settings } from '../config/settings.js';
import type { Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import { createLogger } from '../observability/logger.js';
import { version } from './version.js';

/** After this time the client would kill the server, and its children would survive. */
const exitLimitMs = 2_800;

/** Everything that the server takes from its process. The other programs are beside the one that starts, not in chunks. */
export async function appConfigOf(loaded: Loaded, redactor: Redactor, program: string): Promise<AppConfig> {
  const { settings, sources, warnings } = loaded;
  redactor.learn(settings.resumeSecret === undefined ? [] : [settings.resumeSecret]);
  const logger = loggerFor(settings, redactor);
  for (const warning of warnings) logger.log('warn', warning);
  return {
    settings,
    version,
    logger,
    audit: await auditFor(loaded, logger, redactor),
    redactor,
    environment: process.env,
    executable:
      settings.claudePath === undefined
        ? undefined
        : await executableAt(settings.claudePath, placeOf('claudePath', sources.claudePath)),
    watchdog: fileURLToPath(new URL('./watchdog.js', program)),
    userProbe: fileURLToPath(new URL('./user-probe.js', program)),
    pageFolder: fileURLToPath(new URL('./page/', program)),
    home: homedir(),
    cwd: process.cwd(),
    depth: Number.parseInt(process.env[depthVariable] ?? '0', 10) || 0,
  };
}

export function loggerFor({ logLevel }: Pick<Settings, 'logLevel'>, redactor: Redactor): Logger {
  return createLogger(logLevel, {
    write: (line) => process.stderr.write(line),
    isTerminal: process.stderr.isTTY,
    now: Date.now,
    redactor,
  });
}

/** Closes the server before the process exits: on signals, after an uncaught error, or when the returned function is called. */
export function endInOrder(server: { close(): Promise<void> }, logger: Logger): (code: number) => void {
  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), exitLimitMs);
    void server.close().finally(() => process.exit(code));
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
  return end;
}

async function auditFor(
  { settings, sources }: Loaded,
  logger: Logger,
  redactor: Redactor,
): Promise<OpenAudit | undefined> {
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
  throw new ConfigError(
    `${place}=${name}: was not found. It must be an absolute path, ~/…, or a name on the PATH`,
  );
}
