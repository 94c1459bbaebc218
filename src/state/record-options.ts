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
  const { username, password, search, hash, pathname } = new URL(server.url);
  const isPlain = pathname.split('/').every((name) => plainName.test(name));
  return username !== '' || password !== '' || search !== '' || hash !== '' || !isPlain;
}

/** Hosted servers know their user by a part of the path, which is no word and no version. */
const plainName = /^(?:[a-z]{1,24}(?:[._-][a-z]{1,24})*|v?\d{1,3})?$/;
