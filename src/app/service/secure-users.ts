import type { AppConfig } from '../app.js';
import { effectiveSettings } from '../effective-settings.js';
import type { TenantPlan, TenantPlans } from './tenant-plans.js';
import { ConfigError } from '../../config/config-error.js';
import { keyFolderOf } from '../../config/key-folder.js';
import type { Principals } from '../../config/principals.js';
import { stateDirOf } from '../../config/settings.js';
import { messageOf } from '../../core/errors.js';
import { guardFiles } from '../../files/file-guard.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { userGuard } from '../../files/user-access.js';
import { resolveClaudeHome } from '../../history/claude-home.js';
import { probeUser } from '../../platform/probe-user.js';
import type { ProbeQuestion, ProbeReport } from '../../platform/user-probe.js';

type PlanWithUser = TenantPlan & { readonly user: NonNullable<TenantPlan['user']> };

/**
 * For sessions that run as other users: from now on, the service reads for a principal only what its user may read.
 * Throws a ConfigError if a user cannot work, or can reach what belongs to the service or to another principal.
 */
export async function secureUsers(
  config: AppConfig,
  plans: TenantPlans,
  principals: Principals | undefined,
): Promise<void> {
  const all = [...plans.values()];
  const withUser = all.filter(hasUser);
  if (withUser.length === 0) return;
  guardFiles(userGuard(withUser.flatMap(foldersOf), ownPaths(config, all)));
  for (const plan of withUser) {
    const others = all.filter((other) => other !== plan);
    const question: ProbeQuestion = {
      needs: needsOf(config, plan),
      secrets: [...secretsFrom(plan.principal, config, principals), ...others.flatMap(privateFolders)],
    };
    judge(plan, question, await probed(config, plan, question));
  }
}

function hasUser(plan: TenantPlan): plan is PlanWithUser {
  return plan.user !== undefined;
}

function foldersOf({ user, settings }: PlanWithUser) {
  const { home, claude, temporary } = user.folders;
  const folders = [home, claude, temporary, ...settings.roots];
  return folders.map((folder) => ({ folder, user: user.system }));
}

/** What no other principal may reach. */
function privateFolders({ user, settings }: TenantPlan): string[] {
  const { home, claude, temporary } = user?.folders ?? {};
  return [home, claude, temporary, ...settings.roots].filter((path) => path !== undefined);
}

/** What the service reads for itself, or for principals that run as its own user. */
function ownPaths(config: AppConfig, plans: readonly TenantPlan[]): string[] {
  const { tlsCert, tlsKey } = config.settings;
  const shared = plans.filter((plan) => !hasUser(plan));
  return [
    ...serviceFolders(config),
    ...[tlsCert, tlsKey].filter((path) => path !== undefined),
    ...shared.flatMap(({ settings: { roots, trustedRoots }, environment }) => [
      ...roots,
      ...trustedRoots,
      resolveClaudeHome({ home: config.home, configDir: environment['CLAUDE_CONFIG_DIR'] }).configDir,
    ]),
  ].flatMap((path) => [path, realPathOfNearest(path)]);
}

/** What a principal must not reach. It may reach its own key, which is in the environment of its sessions. */
function secretsFrom(principal: string, config: AppConfig, principals: Principals | undefined): string[] {
  const { environment, home, audit, settings } = config;
  const others = [...(principals?.entries ?? [])].filter(([name]) => name !== principal);
  const keys = others.map(([, { apiKeyFile }]) => apiKeyFile);
  return [
    ...serviceFolders(config),
    resolveClaudeHome({ home, configDir: environment['CLAUDE_CONFIG_DIR'] }).configDir,
    ...[audit?.path, settings.tlsKey, ...keys].filter((path) => path !== undefined),
  ];
}

function serviceFolders({ settings, environment, home }: AppConfig): string[] {
  return [stateDirOf(settings, environment, home), keyFolderOf(environment, home)];
}

function needsOf(config: AppConfig, { user, settings }: PlanWithUser): ProbeQuestion['needs'] {
  const { home, claude, temporary, launches } = user.folders;
  const { claudePath } = effectiveSettings(config.settings, config);
  return [
    ...[home, claude, temporary].map((path) => ({ path, how: 'write' as const })),
    { path: launches, how: 'enter' },
    ...(claudePath === undefined ? [] : [{ path: claudePath, how: 'run' as const }]),
    ...settings.roots.map((path) => ({ path, how: 'list' as const })),
  ];
}

async function probed(
  { userProbe }: AppConfig,
  { principal, user }: PlanWithUser,
  question: ProbeQuestion,
): Promise<ProbeReport> {
  try {
    return await probeUser(user.system, userProbe, question);
  } catch (error) {
    throw new ConfigError(
      `principals.${principal}.runAs: a program cannot be started as ${words(user)} (${messageOf(error)}). This user must be able to run ${process.execPath} and to read ${userProbe}, and the service needs all capabilities of root.`,
    );
  }
}

function judge({ principal, user }: PlanWithUser, { secrets }: ProbeQuestion, report: ProbeReport): void {
  const place = `principals.${principal}.runAs`;
  const { uid, gid } = user.system;
  const isOther = report.uid !== uid || report.gid !== gid || report.groups.some((group) => group !== gid);
  if (isOther || report.hasCapabilities)
    throw new ConfigError(
      `${place}: programs that are started as ${words(user)} keep rights of the service. Start the service as root, without security bits that keep capabilities.`,
    );
  const [unreachable] = report.unreachable;
  if (unreachable !== undefined)
    throw new ConfigError(`${place}: ${words(user)} cannot use ${unreachable}. ${remedy(user, unreachable)}`);
  const exposed = secrets.find((path) => report.exposed.includes(path));
  if (exposed !== undefined)
    throw new ConfigError(
      `${place}: ${words(user)} can reach ${exposed}, which belongs to the service or to another principal. Let no other user reach it, for example: chmod go-rwx '${exposed}'`,
    );
}

function remedy({ folders, system }: PlanWithUser['user'], path: string): string {
  if (Object.values(folders).includes(path))
    return 'Choose a state folder whose parent folders every user can enter, such as --state-dir /var/lib/claude-code-mcp.';
  return `Let this user reach it, for example: chown ${system.uid}:${system.gid} '${path}', and check the folders above it.`;
}

function words({ system }: PlanWithUser['user']): string {
  return `uid ${system.uid}, gid ${system.gid}`;
}
