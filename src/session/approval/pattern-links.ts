import { readdirSync, type Dirent } from 'node:fs';
import { couldBe, isPattern } from '../../policy/gate/patterns.js';

/** Reading more takes longer than a caller should wait for a command. Opening a folder takes as long as 50 entries. */
const mostEntries = 150_000;
const perFolder = 50;

/**
 * The paths that lead through a link in place of a pattern: `cat l?nk/a` reads `link/a`. Undefined if the patterns stand
 * for too many folders.
 */
export function linksOfPatterns(paths: readonly string[]): readonly string[] | undefined {
  let left = mostEntries;
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = paths.map((path) => ({ base: '', names: path.split('/') }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { base, names } = next;
    const index = names.findIndex(isPattern);
    const pattern = names[index];
    if (pattern === undefined) continue;
    const folder = [base, ...names.slice(0, index)].join('/').replace(/^\/\//, '/');
    const rest = names.slice(index + 1);
    const key = `${folder}/${pattern}/${rest.join('/')}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const entries = entriesOf(folder);
    left -= perFolder + entries.length;
    if (left < 0) return undefined;
    for (const entry of entries) {
      if (!couldBe(pattern, entry.name)) continue;
      const base = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) found.add([base, ...rest].join('/'));
      if (!entry.isFile()) open.push({ base, names: rest });
    }
  }
  return [...found];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '/' : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
