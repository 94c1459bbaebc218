/** Audit logs on real files. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Servers } from '../../src/state/server-mark.js';
import { FolderLocks, isHolder } from '../../src/state/session-locks.js';
import { openAuditFile, type AuditPlace, type OpenedAudit } from '../../src/observability/audit/lanes.js';
import { verifyAudit, type ChainProblem } from '../../src/observability/audit/verify.js';
import type { ChainHead } from '../../src/observability/audit/chain.js';

export interface AuditScene {
  readonly path: string;
  readonly stateDir: string;
  open(changes?: Partial<AuditPlace>): Promise<OpenedAudit>;
  /** A server that writes so many lines and ends. */
  write(count: number, changes?: Partial<AuditPlace>): Promise<ChainHead>;
  problems(keptHead?: ChainHead): readonly (ChainProblem | undefined)[];
  lines(): string[];
}

export function createAuditScene(): AuditScene {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'audit-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return auditSceneIn(root);
}

export function auditSceneIn(root: string, stateDir = join(root, 'state')): AuditScene {
  const path = join(root, 'audit.jsonl');
  const open = (changes: Partial<AuditPlace> = {}): Promise<OpenedAudit> =>
    openAuditFile({
      path,
      stateDir,
      maxBytes: 10_000_000,
      takeLane: lanesOf(path, 2),
      now: () => Date.UTC(2026, 0, 1),
      ...changes,
    });
  return {
    path,
    stateDir,
    open,
    async write(count, changes) {
      const { file, release } = await open(changes);
      for (let index = 0; index < count; index += 1) file.append({ what: 'test', index, words: 'é "x"' });
      file.close();
      await release();
      return file.head;
    },
    problems: (keptHead) => (verifyAudit({ path, stateDir, keptHead }) ?? []).map(({ problem }) => problem),
    lines: () => readFileSync(path, 'utf8').split('\n').slice(0, -1),
  };
}

/** The lanes as the server with this pid takes them; that with pid 1 is gone. */
export function lanesOf(path: string, pid: number): AuditPlace['takeLane'] {
  const startTimeOf = async (one: number): Promise<string | undefined> => (one === 1 ? undefined : 'alive');
  const locks = new FolderLocks({ folder: `${path}.locks`, servers: new Servers({ pid, startTimeOf }) });
  return async (lane) => {
    const taken = await locks.take(String(lane));
    return isHolder(taken) ? undefined : () => taken.release();
  };
}
