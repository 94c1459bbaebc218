import { AppError } from '../core/errors.js';
import type { EffectiveOptions } from '../core/options/index.js';
import type { PolicySettings } from './settings.js';

/** Details of a session that callers see only if the operator allows it. `env` and headers are never shown. */
export interface SensitiveDetails extends Pick<EffectiveOptions, 'systemPrompt' | 'additionalDirectories'> {
  readonly agents?: Readonly<Record<string, unknown>>;
}

export function sensitiveDetails(
  { systemPrompt, agents, additionalDirectories }: EffectiveOptions,
  policy: PolicySettings,
): SensitiveDetails {
  refuseDetails(policy);
  return { systemPrompt, additionalDirectories, ...(agents && { agents: withoutServers(agents) }) };
}

export function refuseDetails({ allowSensitiveDetails }: PolicySettings): void {
  if (!allowSensitiveDetails) throw new AppError('details_refused');
}

/** An agent's servers contain headers, commands and variables. */
function withoutServers(agents: NonNullable<EffectiveOptions['agents']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, { mcpServers: _mcpServers, ...agent }]) => [name, agent]),
  );
}
