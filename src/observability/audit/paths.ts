import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** So many servers may write under one name at once: each has a file, and a chain, of its own. */
export const maxLanes = 50;

/** `audit.jsonl` for the first server, `audit.2.jsonl` for one that runs beside it. */
export function lanePath(path: string, lane: number): string {
  if (lane === 1) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.${lane}${extension}`;
}

/** A full file is put aside under the number of its first line: the name never changes again. */
export function rotatedPath(path: string, firstSeq: number): string {
  return `${path}.${String(firstSeq).padStart(12, '0')}`;
}

/** What was put aside, oldest first. */
export function rotatedFiles(path: string): string[] {
  const name = basename(path);
  const isRotated = (file: string): boolean =>
    file.startsWith(`${name}.`) && /^\d{12}$/.test(file.slice(name.length + 1));
  return readdirSync(dirname(path))
    .filter(isRotated)
    .toSorted()
    .map((file) => join(dirname(path), file));
}
