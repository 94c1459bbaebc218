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

/** Variables that name libraries or programs: a name without a slash is looked up elsewhere. */
const programs: ReadonlySet<string> = new Set([
  'LD_PRELOAD',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'ENV',
  'SHELL',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_ASKPASS',
  'GIT_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'PAGER',
  'EDITOR',
  'VISUAL',
  'LESSOPEN',
  'CLAUDE_CODE_SHELL',
  'CLAUDE_CODE_SHELL_PREFIX',
]);

/** Variables that name a file or folder with code, configuration or certificates. */
const files: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'ZDOTDIR',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]);

/** Options of interpreters, in which a bare word can be a module of the folder. */
const optionLists: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'BUN_OPTIONS', 'RUBYOPT', 'PERL5OPT']);

/** Whether the value of such a variable names a file by a relative path, or one that `isForeign`. */
function leadsInside(name: string, value: string, isForeign: (path: string) => boolean): boolean {
  const variable = name.toUpperCase();
  const isRelative = relativeIn(variable);
  if (isRelative === undefined) return false;
  const words = files.has(variable) ? [value] : value.split(/[\s:;,=]+/);
  return words.some((word) => word !== '' && (isAbsolute(word) ? isForeign(word) : isRelative(word)));
}

/** How to tell that a word which is no absolute path may name a file of the folder. */
function relativeIn(variable: string): ((word: string) => boolean) | undefined {
  if (files.has(variable)) return (word) => !/^[~$]/.test(word);
  if (programs.has(variable)) return (word) => /[\\/]|^\.\.?$/.test(word) && !word.startsWith('~');
  if (!optionLists.has(variable)) return undefined;
  return (word) => !/^(?:-[\w-]*|\d+)$/.test(word) || /(?:config|env)-file/.test(word);
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables without those and without the entries that lead into the folder of a session. A relative path does, and
 * so does an empty entry. `isForeign` judges the others.
 */
export function withoutForeignEntries(
  variables: Variables,
  isForeign: (folder: string) => boolean,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (value === undefined || leadsInside(name, value, isForeign)) return [];
      const entries = searchEntries(name, value);
      if (entries === undefined) return [[name, value]];
      const kept = entries.filter((entry) => isAbsolute(entry) && !isForeign(entry));
      if (kept.length === entries.length) return [[name, value]];
      // An empty list would mean the folder of the session.
      return kept.length === 0 ? [] : [[name, kept.join(delimiter)]];
    }),
  );
}
