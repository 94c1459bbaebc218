import type { EffectiveOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';

/** The options of a prompt that must not run in bypassPermissions any more. */
export function withoutBypass(options: EffectiveOptions): EffectiveOptions {
  return options.permissionMode === 'bypassPermissions' ? { ...options, permissionMode: 'default' } : options;
}

/**
 * The modes to go through when bypassPermissions ends. From plan mode, which the model can enter by itself, Claude Code
 * would return to the mode before it.
 */
export function modesAfterBypass(mode: PermissionMode, isLive: boolean): readonly PermissionMode[] {
  if (mode === 'bypassPermissions') return ['default'];
  return mode === 'plan' && isLive ? ['default', 'plan'] : [];
}
