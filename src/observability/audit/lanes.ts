import { extname } from 'node:path';
import { AuditFile, type AuditFileSettings } from './file.js';

/** Frees a lane for the next server. */
export type Release = () => Promise<void>;

export interface AuditPlace extends AuditFileSettings {
  /** Undefined when another server writes to this lane. */
  readonly takeLane: (lane: number) => Promise<Release | undefined>;
}

export interface OpenedAudit {
  readonly path: string;
  readonly file: AuditFile;
  readonly release: Release;
}

/** The maximum number of servers that can write under one name at the same time. */
const maxLanes = 50;

/** Concurrent servers each write their own chain: `audit.jsonl`, `audit.2.jsonl` and so on. */
export function lanesOf(path: string): string[] {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  return Array.from({ length: maxLanes }, (_, index) =>
    index === 0 ? path : `${stem}.${index + 1}${extension}`,
  );
}

/** Continues the first lane that no other server writes to. */
export async function openAuditFile({ takeLane, ...settings }: AuditPlace): Promise<OpenedAudit> {
  for (const [index, path] of lanesOf(settings.path).entries()) {
    const release = await takeLane(index + 1);
    if (release === undefined) continue;
    try {
      return { path, file: new AuditFile({ ...settings, path }), release };
    } catch (error) {
      await release();
      throw error;
    }
  }
  throw new Error(`${maxLanes} servers already write under this name. Use another file.`);
}
