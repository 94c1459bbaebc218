import { AppError } from '../core/errors.js';
import type { EffectiveOptions } from '../core/options/index.js';
import type { PolicySettings } from './settings.js';

/** Details of a session that callers see only if the operator allows it. `env` and headers are never shown. */
export interface SensitiveDetails extends Pick<
  EffectiveOptions,
  'cwd' | 'systemPrompt' | 'additionalDirectories'
> {
  readonly agents?: Readonly<Record<string, unknown>>;
}

export function sensitiveDetails(
  { cwd, systemPrompt, agents, additionalDirectories }: EffectiveOptions,
  { allowSensitiveDetails }: PolicySettings,
): SensitiveDetails {
  if (!allowSensitiveDetails) {
    throw new AppError('details_refused');
  }
  return { cwd, systemPrompt, additionalDirectories, ...(agents && { agents: withoutServers(agents) }) };
}

/** An agent's servers contain headers, commands and variables. */
function withoutServers(agents: NonNullable<EffectiveOptions['agents']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, { mcpServers: _mcpServers, ...agent }]) => [name, agent]),
  );
}
