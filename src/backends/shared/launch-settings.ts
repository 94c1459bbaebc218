import type { Launch } from '../../core/claude/backend.js';
import type { WithheldServer } from '../../core/options/index.js';
import type { PermissionRules } from '../../core/options/permission-rules.js';

type Rules = { -readonly [K in keyof PermissionRules]?: string[] };

type DeniedServer = { serverName: string } | { serverCommand: [string, ...string[]] };

/** Settings that Claude Code gets besides those of the user and the folder. */
export type LaunchSettings = {
  readonly useAutoModeDuringPlan: false;
  readonly crossSessionInbound: 'refuse';
  readonly disableSkillShellExecution?: true;
  readonly permissions?: Rules;
  readonly deniedMcpServers?: DeniedServer[];
};

/** `askRules` are those of the backend. */
export function launchSettings(
  { options: { permissionRules, withheldServers = [] }, asksFirst }: Pick<Launch, 'options' | 'asksFirst'>,
  askRules: readonly string[] = [],
): LaunchSettings {
  const rules = {
    allow: [...(permissionRules?.allow ?? [])],
    ask: [...(permissionRules?.ask ?? []), ...askRules],
    deny: [...(permissionRules?.deny ?? [])],
  };
  const permissions: Rules = Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0));
  return {
    // Otherwise a classifier would decide about writes in plan mode, and the broker would never see them.
    useAutoModeDuringPlan: false,
    // Messages between sessions are off; this refuses them even if a later version ignores the variable for it.
    crossSessionInbound: 'refuse',
    // Claude Code runs the shell lines of skills and commands before it asks about anything.
    ...(asksFirst ? { disableSkillShellExecution: true } : {}),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
    ...(withheldServers.length === 0 ? {} : { deniedMcpServers: withheldServers.map(deniedServer) }),
  };
}

function deniedServer({ entry }: WithheldServer): DeniedServer {
  return 'serverName' in entry
    ? { serverName: entry.serverName }
    : { serverCommand: [...entry.serverCommand] };
}
