import type { Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions, ServerCommand, WithheldServer } from '../../core/options/index.js';
import { isolationVariables } from './isolation-variables.js';
import type { PermissionRules } from '../../core/options/permission-rules.js';

type Rules = { -readonly [K in Exclude<keyof PermissionRules, 'allow'>]?: string[] };

type CommandEntry = { serverCommand: [string, ...string[]] };
type DeniedServer = { serverName: string } | CommandEntry;
type AllowedServer = { serverUrl: string } | CommandEntry;

/** Settings that Claude Code gets besides those of the user and the folder. */
export type LaunchSettings = {
  readonly env: Record<string, string>;
  readonly useAutoModeDuringPlan: false;
  readonly crossSessionInbound: 'refuse';
  readonly disableSkillShellExecution?: true;
  readonly permissions?: Rules;
  readonly deniedMcpServers?: DeniedServer[];
  readonly allowedMcpServers?: AllowedServer[];
  readonly enabledPlugins?: Record<string, false>;
};

type PromptOptions = Pick<EffectiveOptions, 'systemPrompt' | 'agent' | 'tools' | 'notes'>;

const collectionInterval = 'BUN_GC_TIMER_INTERVAL';

/**
 * How Claude Code's runtime starts. By default it collects garbage every second, also after a turn, which takes CPU time
 * from the next start.
 */
export const runtimeVariables = { [collectionInterval]: '10000' };

export function launchSettings({
  options,
  asksFirst,
}: Pick<Launch, 'options' | 'asksFirst'>): LaunchSettings {
  const { permissionRules, withheldServers = [], startableServers, withheldPlugins } = options;
  // Those that allow are no settings: see `allowedRules`.
  const rules = {
    ask: [...(permissionRules?.ask ?? [])],
    deny: [...(permissionRules?.deny ?? [])],
  };
  const permissions: Rules = Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0));
  return {
    // Those in the settings of the user would override the environment of the process.
    env: {
      ...isolationVariables({ options }),
      // The runtime has read it by then. Programs that Claude Code runs keep their default.
      [collectionInterval]: '',
    },
    // Otherwise a classifier would decide about writes in plan mode, and the broker would never see them.
    useAutoModeDuringPlan: false,
    // Messages between sessions are off; this refuses them even if a later version ignores the variable for it.
    crossSessionInbound: 'refuse',
    // Claude Code runs the shell lines of skills and commands before it asks about anything.
    ...(asksFirst ? { disableSkillShellExecution: true } : {}),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
    ...(withheldServers.length === 0 ? {} : { deniedMcpServers: withheldServers.map(deniedServer) }),
    ...(withheldPlugins && { enabledPlugins: Object.fromEntries(withheldPlugins.map((id) => [id, false])) }),
    ...(startableServers && { allowedMcpServers: allowedServers(startableServers) }),
  };
}

/**
 * Claude Code records the system prompt and the tools of a conversation, and sends this record with every later request,
 * even if a later process passes others. Options that determine them turn the record off: when a reply sets them, because
 * the record would win, and at the start, because they would stay in the record after they are unset.
 */
export function usesPromptRecord({ systemPrompt, agent, tools, notes }: PromptOptions): boolean {
  return [systemPrompt, agent, tools].every((value) => value === undefined) && notes.length === 0;
}

/** No file has this name, so that no server can match it. */
const noCommand: ServerCommand = ['\0'];

/**
 * The servers of the user's agents and plugins are known to Claude Code only, so it gets a list of all that may start. As
 * soon as that list contains a command, no name permits one.
 */
function allowedServers({
  commands,
  isListed,
}: NonNullable<EffectiveOptions['startableServers']>): AllowedServer[] {
  return [
    ...(isListed ? [] : [{ serverUrl: '*' }]),
    ...[noCommand, ...commands].map(([program, ...args]): AllowedServer => ({
      serverCommand: [program, ...args],
    })),
  ];
}

function deniedServer({ entry }: WithheldServer): DeniedServer {
  return 'serverName' in entry
    ? { serverName: entry.serverName }
    : { serverCommand: [...entry.serverCommand] };
}
