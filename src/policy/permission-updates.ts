import * as z from 'zod';
import { spelledRule } from '../core/claude/tool-spelling.js';
import { AppError } from '../core/errors.js';
import type { PermissionUpdate } from '../core/session/inputs.js';
import { argument } from '../core/options/define.js';
import { permissionModes, toolRule } from '../core/options/tools.js';
import { placeOptions } from '../core/options/place.js';
import type { CallerStanding } from './approvals.js';
import { refuseOutside, refusePreAllowed } from './pre-approval.js';
import { refuseNextMode } from './resolve-options.js';
import type { PolicySettings } from './settings.js';

const destination = z
  .enum(['session', 'userSettings', 'projectSettings', 'localSettings', 'cliArg'])
  .optional();

const updateSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('addRules'),
    rules: z
      .array(
        z
          .strictObject({ toolName: argument(200), ruleContent: z.string().max(300).optional() })
          .transform(({ toolName, ruleContent }) =>
            ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
          )
          .pipe(toolRule),
      )
      .min(1)
      .max(20),
    behavior: z.enum(['allow', 'deny']).optional(),
    destination,
  }),
  z.strictObject({ type: z.literal('setMode'), mode: z.enum(permissionModes), destination }),
  z.strictObject({
    type: z.literal('addDirectories'),
    directories: placeOptions.additionalDirectories.schema.min(1),
    destination,
  }),
]);

const updatesSchema = z.array(updateSchema).max(20);

/** Claude Code gets all of them in one argument. Linux limits it to 128 KiB, Windows the whole command line to 32 KiB. */
const maxDeniedBytesOn = (platform: NodeJS.Platform): number => (platform === 'win32' ? 12_000 : 120_000);

/**
 * Checks the permission changes that a caller adds to its approval; throws if one is not allowed. `folders` are those of
 * the session, if they bound what may be read and edited in advance.
 */
export function resolvePermissionUpdates(
  requested: readonly unknown[],
  policy: PolicySettings,
  standing: CallerStanding,
  folders: readonly string[] | undefined,
): PermissionUpdate[] {
  const parsed = updatesSchema.safeParse(requested);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError('permission_updates_invalid', { problem: issue && inWords(issue) });
  }
  return parsed.data.map((update) => resolveOne(update, policy, standing, folders));
}

/** Refuses an approval with so many denied rules that no later process could start. Each of them must count. */
export function refuseTooManyDenied(
  disallowedTools: readonly string[] = [],
  updates: readonly PermissionUpdate[],
  platform = process.platform,
): void {
  const limit = maxDeniedBytesOn(platform);
  const added = updates.flatMap((update) => (update.type === 'denyRules' ? update.rules : []));
  const bytes = Buffer.byteLength([...new Set([...disallowedTools, ...added])].join(','));
  if (added.length === 0 || bytes <= limit) return;
  const problem = `the denied rules of the session would have ${bytes} bytes; the limit is ${limit}`;
  throw new AppError('permission_updates_invalid', { problem });
}

/** Where the mistake is; the next step shows what is accepted. Only the messages of our own checks are worth reading. */
function inWords(issue: z.core.$ZodIssue): string {
  const place = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (issue.code === 'unrecognized_keys')
    return `${place} has the unknown key "${issue.keys[0]?.slice(0, 40)}"`;
  const isOurs = issue.code === 'custom' || issue.code === 'invalid_format';
  return isOurs ? `${place} ${issue.message}` : `${place || 'the list'} is not accepted`;
}

function resolveOne(
  update: z.infer<typeof updateSchema>,
  policy: PolicySettings,
  standing: CallerStanding,
  folders: readonly string[] | undefined,
): PermissionUpdate {
  if (update.destination !== undefined && update.destination !== 'session') {
    throw new AppError('permission_updates_kept', { destination: update.destination });
  }
  switch (update.type) {
    case 'addRules': {
      const rules = update.rules.map((rule) => spelledRule('updatedPermissions', rule));
      // Anyone may forbid more.
      if (update.behavior === 'deny') return { type: 'denyRules', rules };
      refusePreAllowed('updatedPermissions', rules, policy, standing);
      if (folders !== undefined) refuseOutside('updatedPermissions', rules, folders, policy);
      return { type: 'addRules', rules };
    }
    case 'setMode':
      refuseNextMode(update.mode, policy, standing);
      return { type: 'setMode', mode: update.mode };
    case 'addDirectories':
      return { type: 'addDirectories', directories: update.directories };
  }
}
