import { AppError } from '../core/errors.js';
import { permissionModes, type PermissionMode } from '../core/options/tools.js';
import type { CallerStanding } from './approvals.js';
import { refuseBypass } from './bypass.js';
import { refuseMode } from './pre-approval.js';
import { refuseNextMode } from './resolve-options.js';
import type { PolicySettings } from './settings.js';

/** The modes in which a session may start. */
export function startModes(policy: PolicySettings, standing: CallerStanding): readonly PermissionMode[] {
  return permissionModes.filter((mode) =>
    isAccepted(() => {
      if (mode === 'bypassPermissions') refuseBypass(policy, standing);
      refuseMode(mode, [policy.defaultPermissionMode], policy, standing);
    }),
  );
}

/** The modes that may follow an approved plan. */
export function nextModes(policy: PolicySettings, standing: CallerStanding): readonly PermissionMode[] {
  return permissionModes.filter((mode) => isAccepted(() => refuseNextMode(mode, policy, standing)));
}

function isAccepted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
