import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { isPattern, matcherOf } from '../../policy/gate/patterns.js';

/** Takes less than 100 ms: a repository can contain any folder, and a command must not keep the server busy. */
const mostEffort = 150_000;
/** Of a folder that is opened, or of a link that is found and followed later. An entry of a folder costs one. */
const perFolder = 50;
const perLookup = 5;
/** The system and we look through a path as often as we use it. */
const perCharacter = 1 / 8;

/** A folder, and the names below it that are still to be looked up. */
interface Branch {
  readonly folder: string;
  readonly names: readonly string[];
  readonly index: number;
}

/**
 * The paths that lead through a link once names have taken the place of patterns: `cat l?nk/a` reads `link/a`, and
 * `cat s?b/link/a` reads `sub/link/a`. Undefined if the patterns stand for too many folders.
 */
export function linksOfPatterns(paths: readonly string[]): readonly string[] | undefined {
  const search = new LinkSearch(paths);
  while (search.goesOn()) search.next();
  return search.found;
}

class LinkSearch {
  readonly #branches: Branch[];
  readonly #links = new Set<string>();
  readonly #opened = new Map<string, readonly Dirent[]>();
  #left = mostEffort;

  constructor(paths: readonly string[]) {
    this.#branches = paths.flatMap(firstBranch);
  }

  get found(): readonly string[] | undefined {
    return this.#left < 0 ? undefined : [...this.#links];
  }

  goesOn(): boolean {
    return this.#left >= 0 && this.#branches.length > 0;
  }

  next(): void {
    const branch = this.#branches.pop();
    if (branch === undefined) return;
    const name = branch.names[branch.index] ?? '';
    if (!isPattern(name)) {
      const path = `${branch.folder}/${name}`;
      this.#left -= perLookup + path.length * perCharacter;
      const entry = entryAt(path);
      if (entry !== undefined) this.#follow(branch, path, entry);
      return;
    }
    const isMatch = matcherOf(name);
    for (const entry of this.#entriesIn(branch.folder)) {
      if (this.#left < 0) return;
      if (isMatch(entry.name)) this.#follow(branch, `${branch.folder}/${entry.name}`, entry);
    }
  }

  #follow({ names, index }: Branch, path: string, entry: Entry): void {
    const next = index + 1;
    if (entry.isSymbolicLink()) {
      const whole = [path, ...names.slice(next)].join('/');
      this.#left -= perFolder + whole.length * perCharacter;
      this.#links.add(whole);
    }
    if (next < names.length && !entry.isFile()) this.#branches.push({ folder: path, names, index: next });
  }

  #entriesIn(folder: string): readonly Dirent[] {
    const known = this.#opened.get(folder);
    const entries = known ?? entriesOf(folder);
    this.#opened.set(folder, entries);
    this.#left -= entries.length + (known === undefined ? perFolder + folder.length * perCharacter : 0);
    return entries;
  }
}

/** The names before the first pattern are looked up with the other words of a command. */
function firstBranch(path: string): readonly Branch[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const index = names.findIndex(isPattern);
  if (index === -1) return [];
  const folder = ['', ...names.slice(0, index)].join('/');
  return [{ folder, names, index }];
}

type Entry = Pick<Dirent, 'isFile' | 'isSymbolicLink'>;

function entryAt(path: string): Entry | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '/' : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
