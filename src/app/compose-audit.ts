import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../config/config-error.js';
import { stateDirOf, type Settings } from '../config/settings.js';
import type { Audit } from '../core/observability/audit.js';
import { messageOf } from '../core/errors.js';
import type { Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import { Servers } from '../state/server-mark.js';
import { FolderLocks, isHolder } from '../state/session-locks.js';
import { FileAudit } from '../observability/audit/writer.js';
import { openAuditFile } from '../observability/audit/lanes.js';
import { startTimeOf } from '../platform/processes.js';
import { isInside } from '../core/paths.js';
import { realPathOfNearest } from '../files/real-path.js';
import { prepareStateFolder } from '../state/state-folder.js';

export interface AuditConfig {
  readonly settings: Settings;
  /** The flag, variable or file that configures the log, for error messages. */
  readonly place: string;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export interface OpenAudit extends Audit {
  /** Real path of the configured file. */
  readonly path: string;
  close(): Promise<void>;
}

/** Throws a ConfigError, which stops the server, when the audit log cannot be used. */
export async function composeAudit(path: string, config: AuditConfig): Promise<OpenAudit> {
  const { settings, logger, redactor } = config;
  try {
    if (!existsSync(dirname(path))) throw new Error('its folder does not exist. Create the folder.');
    const real = join(realPathOfNearest(dirname(path)), basename(path));
    refuseInRoots(real, settings);
    const stateDir = stateDirOf(settings, config.environment, config.home);
    prepareStateFolder(stateDir);
    // Other servers compare start times to see whether our lock is still held.
    if ((await startTimeOf(process.pid)) === undefined)
      throw new Error('this system does not report the start time of processes');
    const locks = new FolderLocks({
      folder: `${real}.locks`,
      servers: new Servers({ pid: process.pid, startTimeOf }),
    });
    const opened = await openAuditFile({
      path: real,
      stateDir: realPathOfNearest(stateDir),
      maxBytes: settings.auditMaxBytes,
      async takeLane(lane) {
        const taken = await locks.take(String(lane));
        return isHolder(taken) ? undefined : () => taken.release();
      },
      now: Date.now,
    });
    const { file, release } = opened;
    if (file.misfit !== undefined)
      logger.log('error', 'the audit log does not match its stored head: run claude-code-mcp audit verify', {
        file: opened.path,
        reason: file.misfit,
      });
    const audit = new FileAudit({
      path: opened.path,
      lines: file,
      isRequired: settings.auditRequired,
      logger,
      redactor,
    });
    audit.tellHead();
    return {
      path: real,
      record: (entry) => audit.record(entry),
      recordOrThrow: (entry) => audit.recordOrThrow(entry),
      close() {
        audit.close();
        return release();
      },
    };
  } catch (error) {
    throw new ConfigError(`${config.place}=${path}: ${messageOf(error)}`);
  }
}

/** Sessions can write in these folders, so they could change the log. */
function refuseInRoots(path: string, { roots, trustedRoots }: Settings): void {
  const root = [...roots, ...trustedRoots].find((folder) => isInside(path, realPathOfNearest(folder)));
  if (root !== undefined)
    throw new Error(`must not be in a folder in which sessions work (${root}). Use a file elsewhere.`);
}
