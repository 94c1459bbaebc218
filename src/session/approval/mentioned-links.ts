import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { mayMatch } from '../../core/text/wildcards.js';
import { entriesInSync } from '../../files/folder-names.js';
import { realPathOfNearest } from '../../files/real-path.js';
import type { Target } from '../../policy/gate/call.js';
import { wordsOf } from './real-targets.js';

/** More than a command needs that someone wants to be read. Beyond these limits, the command is read less exactly. */
const mostWords = 1_000;
const mostFolders = 20;
const mostPatterns = 50;
const mostLinks = 1_000;

/**
 * The links that a command may reach although no word of it is their path: after `cd`, by a pattern, by braces, or by a
 * part that only the shell computes. Looks at the links of every folder that the command names, so that it does not have
 * to be understood.
 */
export function mentionedLinks(
  command: string,
  { start, isWithin }: { readonly start: string; readonly isWithin: (path: string) => boolean },
): Target[] {
  const { paths: words } = wordsOf(command);
  const plain = command.replaceAll(/["'\\]/g, '');
  const patterns = fewPatterns(words.flatMap(patternsIn));
  const folders = foldersIn(words.slice(0, mostWords), start, isWithin);
  const places = patterns.map(({ below, pattern }) => ({
    pattern,
    folders: below === undefined ? undefined : new Set(folders.map((base) => resolve(base, below))),
  }));
  const isMatched = (name: string, folder: string): boolean =>
    places.some((place) => (place.folders?.has(folder) ?? true) && mayMatch(place.pattern, name));
  return folders.flatMap((folder) =>
    linksIn(folder, start)
      .filter((name) => plain.includes(name) || isMatched(name, folder))
      .map((name) => ({ named: join(folder, name), real: realPathOfNearest(join(folder, name)) })),
  );
}

/** The start, and every folder that a word names from there or from another of these folders. */
function foldersIn(
  words: readonly string[],
  start: string,
  isWithin: (path: string) => boolean,
): readonly string[] {
  const found = new Set([start]);
  for (const folder of found) {
    for (const word of words) {
      const path = resolve(folder, word);
      for (const candidate of [path, dirname(path)]) {
        if (found.size >= mostFolders) return [...found];
        if (!found.has(candidate) && isWithin(candidate) && isFolder(candidate)) found.add(candidate);
      }
    }
  }
  return [...found];
}

interface Pattern {
  /** The folder in which it looks, if that is certain. */
  readonly below: string | undefined;
  readonly pattern: string;
}

/** The parts of a word that the shell replaces, with a star for what it computes. */
function patternsIn(word: string): Pattern[] {
  const segments = word.split('/');
  const first = segments.findIndex((segment) => special.test(segment));
  return segments.flatMap((segment, index) =>
    special.test(segment) && hasWholeBraces(segment)
      ? [
          {
            below:
              index === first ? segments.slice(0, index).join('/') || (index === 0 ? '.' : '/') : undefined,
            pattern: segment.replace(/\$\w*|\{.*\}|`/g, '*'),
          },
        ]
      : [],
  );
}

const anything: Pattern = { below: undefined, pattern: '*' };

function fewPatterns(patterns: readonly Pattern[]): readonly Pattern[] {
  const isSimple = patterns.length <= mostPatterns && patterns.every(({ pattern }) => pattern.length <= 255);
  return isSimple ? patterns : [anything];
}

const special = /[*?[{}$`]/;

/** A word was also cut at commas, which leaves halves of braces. */
function hasWholeBraces(segment: string): boolean {
  return segment.includes('{') === segment.includes('}');
}

function linksIn(folder: string, behalf: string): readonly string[] {
  try {
    return entriesInSync(folder, behalf)
      .filter((entry) => entry.isSymbolicLink())
      .slice(0, mostLinks)
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
