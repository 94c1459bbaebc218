import type { EffectiveOptions } from '../core/options/index.js';

/** Options whose values may be secret: they stay in memory. */
export const secretOptions = ['env', 'mcpServers', 'agents'] as const;
export type SecretOption = (typeof secretOptions)[number];

/** Splits off the options that may not be saved to disk, and lists their names. */
export function withoutSecrets(options: EffectiveOptions): {
  options: EffectiveOptions;
  withheld: SecretOption[];
} {
  const withheld = secretOptions.filter((key) => mayHoldSecret[key](options));
  // Found again at each start. The commands of servers can contain secrets.
  const {
    withheldServers: _withheld,
    startableServers: _startable,
    withheldPlugins: _plugins,
    untrustedFolders: _folders,
    ...rest
  } = options;
  const kept = Object.entries(rest).filter(([key]) => !withheld.some((name) => name === key));
  return { options: Object.fromEntries(kept) as unknown as EffectiveOptions, withheld };
}

const mayHoldSecret: Readonly<Record<SecretOption, (options: EffectiveOptions) => boolean>> = {
  env: ({ env }) => env !== undefined,
  mcpServers: ({ mcpServers = {} }) => Object.values(mcpServers).some(isMoreThanAnAddress),
  agents: ({ agents = {} }) => Object.values(agents).some(({ mcpServers }) => mcpServers !== undefined),
};

/** A server is not secret if it has no headers, no program and nothing in its address that may be secret. */
function isMoreThanAnAddress(server: NonNullable<EffectiveOptions['mcpServers']>[string]): boolean {
  if (!('url' in server) || 'headers' in server || 'headersHelper' in server) return true;
  const { username, password, search, hash, pathname, hostname } = new URL(server.url);
  const isPlain = pathname.split('/').every(isPlainName) && isPlainHost(hostname);
  return username !== '' || password !== '' || search !== '' || hash !== '' || !isPlain;
}

/** Hosted servers know their user by a part of the path or of the host name. Any other word may be such a part. */
const pathWords: ReadonlySet<string> = new Set(
  'mcp sse api app apps rpc http rest stream streamable streaming server servers service services public read readonly only tools docs message messages beta latest'.split(
    ' ',
  ),
);

function isPlainName(name: string): boolean {
  return name === '' || name.split(/[._-]/).every((word) => pathWords.has(word) || /^v?\d{1,3}$/.test(word));
}

/** Words with a short number at most, such as `eu-west-1`. */
const plainLabel = /^(?=.{1,24}$)(?:[a-z]{1,15}\d{0,2}|\d{1,3})(?:-(?:[a-z]{1,15}\d{0,2}|\d{1,3}))*$/;

/** The last two labels are the name of a provider, which is public. */
function isPlainHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  return hostname
    .split('.')
    .slice(0, -2)
    .every((label) => plainLabel.test(label));
}
