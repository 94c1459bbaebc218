import { availableParallelism } from 'node:os';
import type { AppConfig } from './app.js';
import { composeBackend } from './compose-backend.js';
import { composeSpares } from './compose-spares.js';
import { composeState } from './compose-state.js';
import { keyFolderOf } from '../config/key-folder.js';
import { defaultCwdOf, ownVariables, stateDirOf } from '../config/settings.js';
import type { Audit } from '../core/observability/audit.js';
import type { Backend } from '../core/claude/backend.js';
import type { Clock } from '../core/clock.js';
import type { AnswerPage, Approver } from '../core/forms.js';
import type { IdSource, SessionId } from '../core/ids.js';
import { noMeter, type Meter } from '../core/observability/measurements.js';
import { inClaudesCase } from '../core/claude/tool-spelling.js';
import type { ToolCensus } from '../core/claude/tool-census.js';
import { realPathOfNearest } from '../files/real-path.js';
import { resolveClaudeHome } from '../history/claude-home.js';
import type { Servers } from '../state/server-mark.js';
import * as processes from '../platform/processes.js';
import { childEnvironment, inheritedVariables } from '../policy/child-environment.js';
import type { FolderBounds } from '../policy/folders.js';
import { observeTools } from '../session/process/tool-census-observer.js';
import { meterProcesses } from '../session/process/process-meter.js';
import { Permits } from '../session/services/permits.js';
import { SessionManager } from '../sessions/session-manager.js';
import { ResumeTokens } from '../sessions/resume-tokens.js';
import { prepareStateFolder } from '../state/state-folder.js';
import { Slots } from '../session/services/slots.js';

export interface ComposedSessions {
  readonly manager: SessionManager;
  readonly backend: Backend;
}

export type OpenBackend = typeof composeBackend;

/** The parts that start-up has already built. */
export interface SharedParts {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Replaces the configured backend. Tests use it. */
  readonly openBackend?: OpenBackend | undefined;
  /** Replaces the servers of this machine. Tests use it. */
  readonly servers?: Servers | undefined;
  readonly approvers: ReadonlySet<Approver>;
  readonly page: AnswerPage;
  readonly census: ToolCensus;
  readonly audit: Audit;
  readonly meter: Meter;
  /** Called for each new event of a session. */
  readonly onEvent: (sessionId: SessionId) => void;
}

/** More concurrent starts only slow each other down. With one processor, two still share what each waits for. */
export const spawnPermits = Math.max(2, availableParallelism());
const mebibyte = 1_048_576;
const day = 86_400_000;

/** The lazy half of the composition root: the session layer and its backend. */
export async function composeSessions(
  config: AppConfig,
  {
    clock,
    ids,
    openBackend = composeBackend,
    servers,
    approvers,
    page,
    census,
    meter,
    audit,
    onEvent,
  }: SharedParts,
): Promise<ComposedSessions> {
  const { settings, environment, home, cwd, logger, redactor, tenant } = config;
  const environmentForSessions = childEnvironment(environment, {
    ownVariables,
    cwd,
    only: tenant && [...inheritedVariables, ...settings.passEnv],
  });
  const configDir = environmentForSessions['CLAUDE_CONFIG_DIR'];
  const claudeHome = resolveClaudeHome({ home, configDir });
  const stateDir = stateDirOf(settings, environment, home);
  prepareStateFolder(stateDir);
  const keyFolder = keyFolderFor(config);
  const allowedTools = settings.allowedTools?.map(inClaudesCase);
  const backend = await openBackend(config, { environment: environmentForSessions, stateDir }, ids);
  const { locks, ...state } = await composeState({
    stateDir,
    keyFolder,
    prune: { keepMs: settings.keepDays * day, maxBytes: settings.stateMaxMb * mebibyte },
    maxUsdPerDay: settings.maxBudgetUsdPerDay,
    clock,
    logger,
    servers,
  });
  const slots = new Slots(settings.maxSessions, tenant?.slots);
  const permits = tenant?.permits ?? new Permits(spawnPermits);
  const manager = new SessionManager({
    backend,
    // Every event passes the observers, so without metrics none of them measures.
    observers: [observeTools(census), ...(meter === noMeter ? [] : [meterProcesses(meter)])],
    clock,
    ids,
    logger,
    audit,
    meter,
    redactor,
    approvers,
    page,
    onEvent,
    slots,
    permits,
    spares: await composeSpares(settings, { claudeHome, backend, slots, permits, clock, ids, logger }),
    ...state,
    tokens: new ResumeTokens(settings.resumeSecret),
    conversations: {
      claudeHome,
      startTimeOf: processes.startTimeOf,
      locks,
    },
    folders: {
      claudeHome,
      defaultCwd: defaultCwdOf(settings, environment, cwd),
      bounds: boundsOf(config, { stateDir, keyFolder, claudeDir: claudeHome.configDir }),
    },
    policy: {
      defaultPermissionMode: settings.defaultPermissionMode,
      callerModes: settings.callerModes,
      permissionTimeoutMs: settings.permissionTimeoutMs,
      startTimeoutMs: settings.startTimeoutMs ?? backend.startTimeoutMs,
      // A model inside a session must not approve requests of the sessions that it starts.
      approvals: config.depth > 0 ? 'human' : settings.approvals,
      defaultAllowedTools: allowedTools,
      // Without a separate list, callers may request exactly the tools that are allowed by default.
      preallow: settings.preallow?.map(inClaudesCase) ?? allowedTools,
      preallowSetting:
        settings.preallow === undefined && allowedTools !== undefined
          ? 'CLAUDE_CODE_ALLOWED_TOOLS'
          : 'CLAUDE_CODE_MCP_PREALLOW',
      callerTrust: settings.callerTrust,
      sandbox: settings.sandbox,
      history: settings.history,
      allowDiskResume: settings.allowDiskResume,
      allowSensitiveDetails: settings.allowSensitiveDetails,
      maxTurns: settings.maxTurns || undefined,
      maxBudgetUsd: settings.maxBudgetUsd,
    },
    limits: {
      idleProcessMs: settings.idleProcessMs,
      log: { maxEvents: settings.eventBufferSize, maxBytes: 2 * mebibyte },
      memoryBytes: 64 * mebibyte,
      longestRunMs: settings.runningSessionMaxMs,
      maxModelCalls: settings.maxTurns || undefined,
      maxBudgetUsd: settings.maxBudgetUsd,
      interruptOnTimeout: settings.onTimeout === 'interrupt',
      sessionTtlMs: settings.sessionTtlMs,
      cleanupIntervalMs: settings.cleanupIntervalMs,
    },
  });
  meter.watchSessions(() => manager.list().map(({ view }) => view.state.status));
  return { manager, backend };
}

/** A principal may have a home that its sessions write to. */
function keyFolderFor({ environment, home, tenant }: AppConfig): string {
  return tenant?.keyFolder ?? keyFolderOf(environment, home);
}

/** Where sessions may work. */
function boundsOf(
  { settings, home, audit, tenant }: AppConfig,
  own: { readonly stateDir: string; readonly keyFolder: string; readonly claudeDir: string },
): FolderBounds {
  // A service has resolved them at its start: a link that appears later must not move them.
  const real = tenant === undefined ? realPathOfNearest : (path: string) => path;
  return {
    home: realPathOfNearest(home),
    stateDir: tenant?.serviceDir ?? realPathOfNearest(own.stateDir),
    keyFolder: realPathOfNearest(own.keyFolder),
    auditLog: audit?.path,
    claudeDir: realPathOfNearest(own.claudeDir),
    roots: settings.roots.map(real),
    trusted: settings.trustedRoots.map(real),
    listed: [...settings.trustedRoots, ...settings.roots].map(real),
  };
}
