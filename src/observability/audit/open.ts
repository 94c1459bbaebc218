import { AuditFile } from './file.js';
import { lanePath, maxLanes } from './paths.js';
import { AuditSecrets } from './secrets.js';

/** Gives a file back, for the next server to go on with. */
export type Release = () => Promise<void>;

export interface AuditPlace {
  /** By its real folder. */
  readonly path: string;
  readonly stateDir: string;
  readonly maxBytes: number;
  /** Undefined when another server has this one. */
  readonly takeLane: (lane: number) => Promise<Release | undefined>;
  readonly now: () => number;
}

export interface OpenedAudit {
  readonly path: string;
  readonly file: AuditFile;
  readonly release: Release;
}

/** The first file under this name that no other server writes. */
export async function openAuditFile(place: AuditPlace): Promise<OpenedAudit> {
  const { stateDir, maxBytes, now, takeLane } = place;
  for (let lane = 1; lane <= maxLanes; lane += 1) {
    const release = await takeLane(lane);
    if (release === undefined) continue;
    const path = lanePath(place.path, lane);
    try {
      const secrets = new AuditSecrets(stateDir);
      const [key, knownHead] = [secrets.ensureKey(), secrets.readHead(path)];
      const file = new AuditFile({ path, key, knownHead, headFile: secrets.openHead(path), maxBytes, now });
      return { path, file, release };
    } catch (error) {
      await release();
      throw error;
    }
  }
  throw new Error(`${maxLanes} servers write under this name already`);
}
