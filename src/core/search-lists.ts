import { delimiter, isAbsolute } from 'node:path';

/** Variables that list folders in which programs look for other programs or for code. */
const names: ReadonlySet<string> = new Set([
  'PATH',
  'NODE_PATH',
  'PYTHONPATH',
  'RUBYLIB',
  'PERLLIB',
  'PERL5LIB',
  'CLASSPATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'DYLD_FRAMEWORK_PATH',
]);

/** The entries of such a variable; undefined for any other one. */
export function searchEntries(name: string, value: string): string[] | undefined {
  return names.has(name.toUpperCase()) ? value.split(delimiter) : undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables without the entries that lead into the folder of a session. A relative entry does, and so does an empty
 * one. `isForeign` judges the others.
 */
export function withoutForeignEntries(
  variables: Variables,
  isForeign: (folder: string) => boolean,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const entries = searchEntries(name, value ?? '');
      if (entries === undefined || value === undefined) return [[name, value]];
      const kept = entries.filter((entry) => isAbsolute(entry) && !isForeign(entry));
      if (kept.length === entries.length) return [[name, value]];
      // An empty list would mean the folder of the session.
      return kept.length === 0 ? [] : [[name, kept.join(delimiter)]];
    }),
  );
}
