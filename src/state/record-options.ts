import type { EffectiveOptions } from '../core/options/index.js';

/** Options whose values may be secrets: they live in memory only. */
export const secretOptions = ['env', 'mcpServers', 'agents'] as const;
export type SecretOption = (typeof secretOptions)[number];

/** What of the options may be kept on disk, and the names of what may not. */
export function withoutSecrets(options: EffectiveOptions): {
  options: EffectiveOptions;
  withheld: SecretOption[];
} {
  const withheld = secretOptions.filter((key) => mayHoldSecret[key](options));
  const kept = Object.entries(options).filter(([key]) => !withheld.some((name) => name === key));
  return { options: Object.fromEntries(kept) as unknown as EffectiveOptions, withheld };
}

const mayHoldSecret: Readonly<Record<SecretOption, (options: EffectiveOptions) => boolean>> = {
  env: ({ env }) => env !== undefined,
  mcpServers: ({ mcpServers = {} }) => Object.values(mcpServers).some(isMoreThanAnAddress),
  agents: ({ agents = {} }) => Object.values(agents).some(({ mcpServers }) => mcpServers !== undefined),
};

/** A server without headers, programs and a secret in its address is no secret. */
function isMoreThanAnAddress(server: NonNullable<EffectiveOptions['mcpServers']>[string]): boolean {
  if (!('url' in server) || 'headers' in server || 'headersHelper' in server) return true;
  const { username, password, search } = new URL(server.url);
  return username !== '' || password !== '' || search !== '';
}
