import { searchEntries } from '../../core/search-lists.js';

/** Variables that name code to load, a file that does, or the configuration of a runner. */
const loaders =
  /^(?:PYTHON(?:HOME|STARTUP|BREAKPOINT|INSPECT|PLATLIBDIR|EXECUTABLE|USERBASE)|RUBYOPT|PERL5(?:OPT|DB)|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|JDK_JAVA_OPTIONS|_?JAVA_(?:TOOL_)?OPTIONS|NPM_CONFIG_\w+|UV_\w+|GIT_\w+)$/i;

const harmlessNodeOptions =
  /^(?:\s*--(?:max-old-space-size=\d+|no-warnings|no-deprecation|enable-source-maps|use-system-ca))*\s*$/;

/**
 * Claude Code replaces these. They name the folder in which this server was started, which may be that of a session, or
 * have a path as their default, which starts there: `${X:-./a}`.
 */
const workingFolder = /\$\{(?:(?:OLD)?PWD\b|\w+:-(?!https?:)[^}]*[./\\])/;

/** Whether the variables of a server lead its program to no file of the session's folders. */
export function isHarmlessEnvironment(
  env: Readonly<Record<string, string>>,
  isElsewhere: (path: string) => boolean,
  isNamed: (value: string) => boolean,
): boolean {
  return Object.entries(env).every(([name, value]) => {
    // Claude Code replaces variables in these values.
    const entries = searchEntries(name, value);
    if (entries !== undefined) return entries.every((entry) => isElsewhere(entry) && !entry.includes('${'));
    if (name.toUpperCase() === 'NODE_OPTIONS') return harmlessNodeOptions.test(value);
    // A word such as `production` names a folder only by chance.
    return !loaders.test(name) && !workingFolder.test(value) && !(/[\\/.]/.test(value) && isNamed(value));
  });
}
