import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../config/config-error.js';
import type { Settings } from '../config/settings.js';
import { messageOf } from '../core/errors.js';
import { realPathOfNearest } from '../files/real-path.js';
import { formatHead, parseHead } from '../observability/audit/chain.js';
import { filesOf } from '../observability/audit/file.js';
import { lanesOf } from '../observability/audit/lanes.js';
import { verifyAudit, type ChainReport } from '../observability/audit/verify.js';

export interface VerifyRequest {
  readonly settings: Settings;
  readonly stateDir: string;
  /** `seq:mac`, as the server log shows it. */
  readonly head: string | undefined;
  readonly json: boolean;
}

export interface VerifyOutput {
  readonly text: string;
  /** 1 when a line was changed. */
  readonly exitCode: 0 | 1;
}

/** The output of `claude-code-mcp audit verify`. */
export function auditVerify({ settings, stateDir, head, json }: VerifyRequest): VerifyOutput {
  const { auditLog } = settings;
  if (auditLog === undefined)
    throw new ConfigError('audit verify needs the path of the audit log. Pass --audit-log or --config.');
  const keptHead = head === undefined ? undefined : parseHead(head);
  if (head !== undefined && keptHead === undefined)
    throw new ConfigError(
      `--head ${head}: must be the head from an "audit head" line of the server log, such as 0000000000000042:9f2c…`,
    );
  const folder = dirname(auditLog);
  if (!existsSync(folder)) throw new ConfigError(`${folder}: folder not found. Check --audit-log.`);
  // The server stores heads under the real path.
  const path = join(realPathOfNearest(folder), basename(auditLog));
  const chains = readable(path, () => verifyAudit({ path, stateDir: realPathOfNearest(stateDir), keptHead }));
  // Without a log, its missing key is no news.
  if (chains?.length === 0 || (chains === undefined && !hasFiles(path)))
    throw new ConfigError(`${path}: audit log not found. Check --audit-log.`);
  if (chains === undefined)
    throw new ConfigError(`${stateDir}: the key of the audit log is missing. Check --state-dir.`);
  const isGood = chains.every(({ problem }) => problem === undefined);
  return {
    text: json ? `${JSON.stringify({ isGood, chains }, undefined, 2)}\n` : chains.map(words).join(''),
    exitCode: isGood ? 0 : 1,
  };
}

function hasFiles(path: string): boolean {
  return lanesOf(path).some((lane) => filesOf(lane).length > 0);
}

/** An unreadable log has not been changed: the user may only lack permission. */
function readable<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new ConfigError(
      `${path}: cannot be checked (${messageOf(error)}). Run the command as the user of the server.`,
    );
  }
}

function words({ files, lines, head, problem }: ChainReport): string {
  if (problem !== undefined) return `BAD   ${problem.file}:${problem.line} ${problem.what}\n`;
  const inFiles = files.length === 1 ? '' : ` in ${files.length} files`;
  return `good  ${files.at(-1) ?? ''}: ${lines} ${lines === 1 ? 'line' : 'lines'}${inFiles}, head ${formatHead(head)}\n`;
}
