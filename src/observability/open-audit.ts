import { AuditFile } from './audit-file.js';
import { lanePath, maxLanes } from './audit-files.js';
import { releaseLock, takeLock, type LockOwner, type StartTimeOf } from './audit-lock.js';
import { AuditSecrets } from './audit-secrets.js';

export interface AuditPlace {
  /** By its real folder. */
  readonly path: string;
  readonly stateDir: string;
  readonly maxBytes: number;
  readonly owner: LockOwner;
  readonly startTimeOf: StartTimeOf;
  readonly now: () => number;
}

export interface OpenedAudit {
  readonly path: string;
  readonly file: AuditFile;
  readonly release: () => void;
}

/** The first file under this name that no other server writes. */
export async function openAuditFile(place: AuditPlace): Promise<OpenedAudit> {
  const { owner, startTimeOf, stateDir, maxBytes, now } = place;
  for (let lane = 1; lane <= maxLanes; lane += 1) {
    const path = lanePath(place.path, lane);
    const lock = `${path}.lock`;
    if (!(await takeLock(lock, owner, startTimeOf))) continue;
    const release = (): void => releaseLock(lock);
    try {
      const secrets = new AuditSecrets(stateDir);
      const [key, knownHead] = [secrets.ensureKey(), secrets.readHead(path)];
      const file = new AuditFile({ path, key, knownHead, headFile: secrets.openHead(path), maxBytes, now });
      return { path, file, release };
    } catch (error) {
      release();
      throw error;
    }
  }
  throw new Error(`${maxLanes} servers write under this name already`);
}
