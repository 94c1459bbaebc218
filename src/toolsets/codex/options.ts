import type { RequestedOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';

export const sandboxes = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export const approvalPolicies = ['untrusted', 'on-failure', 'on-request', 'never'] as const;

/** The sandbox that stands for a mode. `dontAsk` is an approval policy. */
export const sandboxOf = {
  default: 'read-only',
  acceptEdits: 'workspace-write',
  bypassPermissions: 'danger-full-access',
} as const;

/** The arguments of `codex` besides the prompt. */
export interface CodexArguments {
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly sandbox?: (typeof sandboxes)[number] | undefined;
  readonly 'approval-policy'?: (typeof approvalPolicies)[number] | undefined;
  readonly 'base-instructions'?: string | undefined;
  readonly 'developer-instructions'?: string | undefined;
  readonly 'compact-prompt'?: string | undefined;
  readonly profile?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly 'include-plan-tool'?: boolean | undefined;
}

/** Arguments that have no counterpart in Claude Code. */
const withoutCounterpart = ['compact-prompt', 'profile', 'config', 'include-plan-tool'] as const;

/** Names of models that Claude Code cannot use. Configurations often contain them. */
const foreignModel = /^(gpt|o\d|codex|chatgpt)/i;

export interface Translated {
  readonly options: RequestedOptions;
  /** Arguments that have no effect. */
  readonly ignored: readonly string[];
}

/** The same wishes as options of a session. Nothing here allows more than Claude Code's own modes. */
export function toOptions(args: CodexArguments): Translated {
  const isForeign = args.model !== undefined && foreignModel.test(args.model);
  return {
    options: {
      cwd: args.cwd,
      model: isForeign ? undefined : args.model,
      permissionMode: modeOf(args),
      systemPrompt: promptOf(args),
    },
    ignored: [
      ...(isForeign ? ['model'] : []),
      ...withoutCounterpart.filter((key) => args[key] !== undefined),
    ],
  };
}

function modeOf({ sandbox, 'approval-policy': policy }: CodexArguments): PermissionMode | undefined {
  if (sandbox === 'danger-full-access') return 'bypassPermissions';
  if (sandbox === 'workspace-write') return 'acceptEdits';
  if (policy === 'never') return 'dontAsk';
  return sandbox === undefined ? undefined : 'default';
}

function promptOf({
  'base-instructions': base,
  'developer-instructions': append,
}: CodexArguments): RequestedOptions['systemPrompt'] {
  if (base !== undefined) return append === undefined ? base : `${base}\n\n${append}`;
  return append === undefined ? undefined : { type: 'preset', preset: 'claude_code', append };
}
