import { agentOptions } from './agents.js';
import { hostOptions } from './host.js';
import { keepingOptions } from './keeping.js';
import { limitOptions } from './limits.js';
import { modelOptions } from './model.js';
import { outputOptions } from './output.js';
import { placeOptions } from './place.js';
import { serverOptions } from './servers.js';
import { toolOptions, type PermissionMode } from './tools.js';
import type { OptionValues } from './define.js';

/** Every start option, in the order in which the docs list them. */
export const sessionOptions = {
  ...placeOptions,
  ...modelOptions,
  ...toolOptions,
  ...limitOptions,
  ...outputOptions,
  ...agentOptions,
  ...serverOptions,
  ...hostOptions,
  ...keepingOptions,
} as const;

/** What a caller asks for. */
export type RequestedOptions = OptionValues<typeof sessionOptions>;

export type SettingSource = 'user' | 'project' | 'local';

/** What the policy has made of it: the only thing a backend ever sees. */
export interface EffectiveOptions extends Omit<RequestedOptions, 'settingSources'> {
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
  readonly settingSources: readonly SettingSource[];
  readonly permissionRequestTimeoutMs: number;
  readonly sessionInitTimeoutMs: number;
  readonly persistSession: boolean;
  /** `skipped` where the folder has settings of its own but the person has not trusted it. */
  readonly projectSettings: 'as requested' | 'skipped';
  /** Told to Claude beside its own system prompt; ours, not the caller's. */
  readonly notes: readonly string[];
}
