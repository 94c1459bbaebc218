import { resolve } from 'node:path';

/** Variables that mark a Claude Code as nested: with them, it refuses to start or reports to the wrong parent. */
const nestingMarkers: ReadonlySet<string> = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_KIND',
  'CLAUDE_CODE_HOST_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SDK_READS_SESSION_STATE',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_AGENT_SDK_VERSION',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
  'CLAUDE_JOB_DIR',
]);

/** A background session passes on its sockets, its trust and its permission rules by these. */
const backgroundPrefix = 'CLAUDE_BG_';

/**
 * The variables that sessions of a service inherit. A service runs for longer and for more people than a server over
 * stdin and stdout, so the secrets of its own environment stay out of sessions. `*` stands for any ending.
 */
export const inheritedVariables: readonly string[] = [
  // Programs and their files.
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LD_LIBRARY_PATH',
  // Language and time.
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  // The way to the network.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Claude Code: its folder, how it signs in, and what it may send.
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_*',
  'ANTHROPIC_*',
  'DISABLE_AUTOUPDATER',
  'DISABLE_ERROR_REPORTING',
  'DISABLE_TELEMETRY',
  'IS_SANDBOX',
  // What programs on Windows need to start.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
];

/**
 * The environment of a session. Hooks, MCP servers and every approved `env` command see all of it, so it must not
 * contain our own variables. With `only`, it contains nothing but the listed ones.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  {
    ownVariables,
    cwd,
    only,
  }: {
    readonly ownVariables: ReadonlySet<string>;
    readonly cwd: string;
    readonly only?: readonly string[] | undefined;
  },
): Record<string, string> {
  const { CLAUDE_CONFIG_DIR: configDir, ...rest } = inherited(
    environment,
    (name) => !ownVariables.has(name) && (only === undefined || isListed(name, only)),
  );
  // Claude Code resolves an empty or relative path against each session's folder, and would store its files there.
  return configDir ? { ...rest, CLAUDE_CONFIG_DIR: resolve(cwd, configDir) } : rest;
}

function inherited(
  environment: Readonly<Record<string, string | undefined>>,
  isPassed: (name: string) => boolean,
): Record<string, string> & { CLAUDE_CONFIG_DIR?: string } {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !isNestingMarker(entry[0]) && isPassed(entry[0]),
    ),
  );
}

/** The names of the markers in an environment. */
export function nestingMarkersIn(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(environment).filter((name) => Boolean(environment[name]) && isNestingMarker(name));
}

function isNestingMarker(name: string): boolean {
  return nestingMarkers.has(name) || name.startsWith(backgroundPrefix);
}

/** Ignores case, as Windows does, and because proxies are configured in either. */
export function isListed(name: string, patterns: readonly string[]): boolean {
  const found = name.toUpperCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toUpperCase();
    return wanted.endsWith('*') ? found.startsWith(wanted.slice(0, -1)) : found === wanted;
  });
}
