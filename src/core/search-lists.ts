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
  'GCONV_PATH',
  'LOCPATH',
  'MANPATH',
  'TERMINFO_DIRS',
  'XDG_CONFIG_DIRS',
  'XDG_DATA_DIRS',
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
  'RIPGREP_CONFIG_PATH',
  'MAGIC',
  'TERMINFO',
  'INPUTRC',
  'CURL_HOME',
  'WGETRC',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_CONFIG',
  'GIT_ATTR_SOURCE',
  'PYTHONUSERBASE',
  'PYTHONPYCACHEPREFIX',
  'NODE_COMPILE_CACHE',
]);

/** Options of interpreters, in which a bare word can be a module of the folder. */
const optionLists: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'BUN_OPTIONS', 'RUBYOPT', 'PERL5OPT']);

/** Say where the server works, or look like a path, but name nothing that a program would load. */
const places: ReadonlySet<string> = new Set([
  'PWD',
  'OLDPWD',
  'HOME',
  'USERPROFILE',
  'CLAUDE_CONFIG_DIR',
  'NO_PROXY',
  'TZ',
  'LANG',
  'TERM',
]);

export interface FolderFacts {
  /** Whether an absolute path leads into a folder of the session. */
  readonly isForeign: (path: string) => boolean;
  /** Whether a relative path exists in the folder of the session. */
  readonly exists: (path: string) => boolean;
}

/** Whether the value of such a variable names a file by a relative path, or one that `isForeign`. */
function leadsInside(name: string, value: string, facts: FolderFacts): boolean {
  const { isForeign } = facts;
  const variable = name.toUpperCase();
  const isRelative = relativeIn(variable);
  if (isRelative === undefined) return namesFile(variable, value, facts);
  const words = files.has(variable) ? [value] : wordsIn(value);
  return words.some((word) => word !== '' && (isAbsolute(word) ? isForeign(word) : isRelative(word)));
}

/** On Windows, a colon may belong to a drive. */
export function wordsIn(value: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  return value.split(platform === 'win32' ? /(?:[\s;,=]|:(?![\\/]))+/ : /[\s:;,=]+/);
}

/** How to tell that a word which is no absolute path may name a file of the folder. */
function relativeIn(variable: string): ((word: string) => boolean) | undefined {
  if (files.has(variable)) return (word) => !/^[~$]/.test(word);
  if (programs.has(variable)) return (word) => /[\\/]|^\.\.?$/.test(word) && !word.startsWith('~');
  if (!optionLists.has(variable)) return undefined;
  return (word) => !/^(?:-[\w-]*|\d+)$/.test(word) || /(?:config|env)-file/.test(word);
}

/** Any other variable may name a file, too: it does if the file is there. */
function namesFile(variable: string, value: string, { isForeign, exists }: FolderFacts): boolean {
  if (places.has(variable) || names.has(variable) || /^[a-z][a-z\d+.-]*:\/\//i.test(value)) return false;
  return [value, ...value.split(delimiter)].some((word) => {
    if (isAbsolute(word)) return isForeign(word);
    return /^\.{1,2}(?:[\\/]|$)/.test(word) || (/^\.|[\\/]/.test(word) && exists(word));
  });
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables without those and without the entries that lead into the folder of a session. A relative path does, and
 * so does an empty entry.
 */
export function withoutForeignEntries(
  variables: Variables,
  facts: FolderFacts,
): Record<string, string | undefined> {
  const { isForeign } = facts;
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (value === undefined || leadsInside(name, value, facts)) return [];
      const entries = searchEntries(name, value);
      if (entries === undefined) return [[name, value]];
      const kept = entries.filter((entry) => isAbsolute(entry) && !isForeign(entry));
      if (kept.length === entries.length) return [[name, value]];
      // An empty list would mean the folder of the session.
      return kept.length === 0 ? [] : [[name, kept.join(delimiter)]];
    }),
  );
}
