import { closeSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Arguments } from '../config/arguments.js';
import { ConfigError, reasonOf } from '../config/config-error.js';
import { tokenVariable } from '../config/settings.js';
import { isLoopback } from '../core/net.js';
import { NotPrivateError, openPrivateFile } from '../files/private-file.js';

/** A service that was started by a client ends after this time without one. */
const idleExitMinutes = 30;
const example = 'https://agents.example.com/mcp';

/** What a person reads in a terminal, where no client talks to the bridge. */
export const connectGreeting =
  'claude-code-mcp connect is waiting for an MCP client.\nClients start it themselves, so you can stop it with Ctrl-C. See docs/service.md.\n';

/** The address of a service, checked: a token must not cross a network unencrypted. */
export function serviceAddress(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`connect ${typed}: not the address of a service, such as ${example}.`);
  if (url.username !== '' || url.password !== '' || url.search !== '')
    // Without the address: it probably contains the token.
    throw new ConfigError(
      `connect: the address must not contain a user, a password or a query. Set the token as ${tokenVariable} or with --token-file.`,
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new ConfigError(
      `connect ${typed}: the token would cross the network unencrypted. Use an address with https.`,
    );
  // People copy the address without its path.
  if (url.pathname === '/') url.pathname = '/mcp';
  return url.href;
}

/** The token for a service elsewhere. Never an argument, because other users can list those. */
export function serviceToken(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (file !== undefined) return checked(readToken(file), `--token-file ${file}`);
  const token = environment[tokenVariable]?.trim() ?? '';
  if (token === '')
    throw new ConfigError(
      `connect needs a token: set ${tokenVariable}, or save it in a file and add --token-file <path>. The operator of the service creates one with "claude-code-mcp token create <name>".`,
    );
  return checked(token, tokenVariable);
}

/** The command line of a service that `connect` starts. It takes over the flags of the bridge. */
export function serveArguments(
  { flags, configFile }: Pick<Arguments, 'flags' | 'configFile'>,
  { hasPort }: { readonly hasPort: boolean },
): readonly string[] {
  return [
    'serve',
    '--json',
    `--idle-exit=${idleExitMinutes}`,
    // The usual port may belong to another user of this machine.
    ...(hasPort ? [] : ['--port=0']),
    ...(configFile === undefined ? [] : [`--config=${resolve(configFile)}`]),
    ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
  ];
}

/** Without what belongs to this one client: other clients will use the service too. */
export function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [tokenVariable]: _token, CLAUDE_PROJECT_DIR: _folder, ...shared } = environment;
  return shared;
}

function readToken(path: string): string {
  try {
    const { descriptor, isReadableByOthers } = openPrivateFile(path, constants.O_RDONLY);
    try {
      if (!isReadableByOthers) return readFileSync(descriptor, 'utf8').trim();
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const reason = error instanceof NotPrivateError ? problems[error.problem] : `(${reasonOf(error)})`;
    throw new ConfigError(
      `--token-file ${path}: cannot be read ${reason}. Save the token in a file that only you can read, or correct the path.`,
    );
  }
  throw new ConfigError(`--token-file ${path}: other users can read this file. Run: chmod 600 '${path}'`);
}

const problems: Readonly<Record<NotPrivateError['problem'], string>> = {
  'symbolic-link': 'because it is a symbolic link',
  'wrong-kind': 'because it is not a file',
  'writable-by-others': 'because other users can change it',
};

/** Anything else cannot be sent in a header. */
function checked(token: string, place: string): string {
  if (/^[\x21-\x7e]{1,10000}$/.test(token)) return token;
  throw new ConfigError(`${place}: does not contain a token. A token is one word of printable characters.`);
}
