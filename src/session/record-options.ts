import type { EffectiveOptions } from '../core/options/index.js';

/** Options whose values may be secrets: they live in memory only. */
export const secretOptions = ['env', 'mcpServers'] as const;
export type SecretOption = (typeof secretOptions)[number];

/** What of the options may be kept on disk, and the names of what may not. */
export function withoutSecrets(options: EffectiveOptions): {
  options: EffectiveOptions;
  withheld: SecretOption[];
} {
  const withheld = secretOptions.filter((key) => options[key] !== undefined && mayHoldSecret(key, options));
  const kept = Object.entries(options).filter(([key]) => !withheld.some((name) => name === key));
  return { options: Object.fromEntries(kept) as unknown as EffectiveOptions, withheld };
}

/** A server without headers, arguments and variables is an address, and no secret. */
function mayHoldSecret(key: SecretOption, { mcpServers = {} }: EffectiveOptions): boolean {
  return (
    key === 'env' || Object.values(mcpServers).some((server) => 'headers' in server || 'command' in server)
  );
}
