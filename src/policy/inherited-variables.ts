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

/** Ignores case, as Windows does, and because proxies are configured in either. */
export function isListed(name: string, patterns: readonly string[]): boolean {
  const found = name.toUpperCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toUpperCase();
    return wanted.endsWith('*') ? found.startsWith(wanted.slice(0, -1)) : found === wanted;
  });
}
