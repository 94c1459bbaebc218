import type { AllowAnswer, InputRequest } from '../core/inputs.js';
import type { EffectiveOptions } from '../core/options/index.js';

/** The options from an approval on: the live process was told, and the next one must begin where it stood. */
export function afterAllow(
  options: EffectiveOptions,
  { kind }: InputRequest,
  { nextMode, updates = [] }: AllowAnswer,
): EffectiveOptions {
  const planMode = kind === 'plan_review' && options.permissionMode === 'plan' ? 'default' : undefined;
  const modes = updates.flatMap((update) => (update.type === 'setMode' ? [update.mode] : []));
  const directories = updates.flatMap((update) =>
    update.type === 'addDirectories' ? update.directories : [],
  );
  const permissionMode = modes.at(-1) ?? nextMode ?? planMode ?? options.permissionMode;
  if (directories.length === 0) return { ...options, permissionMode };
  return {
    ...options,
    permissionMode,
    additionalDirectories: [...new Set([...(options.additionalDirectories ?? []), ...directories])],
  };
}
