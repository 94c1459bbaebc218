import type { AllowAnswer, InputRequest } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';

/** The options of a prompt that waited during the approval. It keeps the mode that it was sent for. */
export function withAllowed(
  options: EffectiveOptions,
  request: InputRequest,
  answer: AllowAnswer,
): EffectiveOptions {
  const { permissionMode } = options;
  return { ...options, ...afterAllow(options, request, answer), permissionMode };
}

/**
 * The option changes that an approval brings. The live process already has them, and the next one must start with them.
 */
export function afterAllow(
  options: EffectiveOptions,
  { kind }: InputRequest,
  { nextMode, updates = [] }: AllowAnswer,
): Partial<EffectiveOptions> {
  const planMode = kind === 'plan_review' && options.permissionMode === 'plan' ? 'default' : undefined;
  const modes = updates.flatMap((update) => (update.type === 'setMode' ? [update.mode] : []));
  const directories = updates.flatMap((update) =>
    update.type === 'addDirectories' ? update.directories : [],
  );
  const plugins = updates.flatMap((update) =>
    update.type === 'addDirectories' ? (update.languagePlugins ?? []) : [],
  );
  const isUntrusted = updates.some((update) => update.type === 'addDirectories' && update.isUntrusted);
  const denied = updates.flatMap((update) => (update.type === 'denyRules' ? update.rules : []));
  const permissionMode = modes.at(-1) ?? nextMode ?? planMode;
  return {
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(denied.length === 0
      ? {}
      : { disallowedTools: [...new Set([...(options.disallowedTools ?? []), ...denied])] }),
    ...(directories.length === 0
      ? {}
      : { additionalDirectories: [...new Set([...(options.additionalDirectories ?? []), ...directories])] }),
    // As at a start with such a folder, whose skills would be loaded with those of the project.
    ...(isUntrusted ? { settingSources: options.settingSources.filter((source) => source === 'user') } : {}),
    ...(plugins.length === 0
      ? {}
      : { withheldPlugins: [...new Set([...(options.withheldPlugins ?? []), ...plugins])] }),
  };
}
