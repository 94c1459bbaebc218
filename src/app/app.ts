import { join } from 'node:path';
import { auditTo } from '../core/observability/audit.js';
import type { Servers } from '../state/server-mark.js';
import type { Caller } from '../core/caller.js';
import { systemClock, type Clock } from '../core/clock.js';
import { noPage, type AnswerPage, type Approver } from '../core/forms.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/observability/logger.js';
import { noMeter, type Meter } from '../core/observability/measurements.js';
import type { Redactor } from '../core/observability/redactor.js';
import { metricsTarget } from '../config/metrics-target.js';
import type { Settings } from '../config/settings.js';
import type { SystemUser } from '../core/processes.js';
import { ToolCensus } from '../core/claude/tool-census.js';
import { instructionsFor, nestedInstructions } from '../mcp/instructions.js';
import { referenceResources } from '../mcp/resources/reference.js';
import { usageResource } from '../mcp/usage-resource.js';
import { viewResource } from '../mcp/resources/view-resource.js';
import { ResourceUpdates } from '../mcp/resources/updates.js';
import { createServerFactory } from '../mcp/server-factory.js';
import { wireSchemasIn } from '../mcp/wire-schema.js';
import type { OpenAudit } from './compose-audit.js';
import { latePage } from './page/late-page.js';
import type { Desk } from '../page/desk.js';
import { LazyMetrics } from '../observability/metrics/lazy-metrics.js';
import type { ComposedSessions, OpenBackend } from './compose-sessions.js';
import { composeTools } from './compose-tools.js';
import type { Permits } from '../session/services/permits.js';
import type { Slots } from '../session/services/slots.js';
import {
  createCallAudit,
  createCallLog,
  createCallMeter,
  createLogAudit,
} from '../observability/audit/log-audit.js';
import type { ServedTool, ToolDependencies } from '../toolsets/shared/define-tool.js';
import type { TextResource } from '../mcp/resources/text-resource.js';
import type { OpeningAnswers } from '../opening/opening.js';
import type { Opened } from '../opening/opening-stdio.js';
import { startStdio, type StdioTransport } from '../transports/stdio.js';

export interface AppConfig {
  readonly settings: Settings;
  readonly version: string;
  readonly logger: Logger;
  /** Undefined when the operator configures no audit log. */
  readonly audit: OpenAudit | undefined;
  /** Starts with the secrets of the environment. Every text that leaves the server passes through it. */
  readonly redactor: Redactor;
  /** The environment that sessions inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The Claude Code executable as the operator configures it: a path or a name. If undefined, the backend finds one. */
  readonly executable: string | undefined;
  /** The script that ends sessions when the server was killed. */
  readonly watchdog: string;
  /** The script that reports what another user can reach. */
  readonly userProbe: string;
  /** The folder with the files of the page. */
  readonly pageFolder: string;
  readonly home: string;
  readonly cwd: string;
  /** 0 when the server does not run inside a session of another server. */
  readonly depth: number;
  /** Where people answer. Undefined: there is no page. */
  readonly page?: AnswerPage | undefined;
  /** How a person runs a command of this program. */
  readonly command?: string | undefined;
  /** What the build has stored for these settings. */
  readonly answers?: OpeningAnswers | undefined;
  /** Undefined over stdin and stdout. */
  readonly tenant?: Tenant | undefined;
}

/** What the sessions of one principal share with the rest of their service. */
export interface Tenant {
  /** Contains the state of every principal, so no session may work in it. A real path. */
  readonly serviceDir: string;
  readonly slots: Slots;
  readonly permits: Permits;
  /** Resolves when the next piece of work for this login may begin. */
  readonly nextTurn: (login: string) => Promise<void>;
  /** Where the operator changes settings that this principal has of its own. */
  readonly places: ReadonlyMap<string, string>;
  /** Keys of the service, which no session can read. */
  readonly keyFolder: string;
  /** The user that runs its sessions, if it has one of its own. */
  readonly user?: TenantUser | undefined;
}

export interface TenantUser {
  readonly system: SystemUser;
  /** Contains the files that Claude Code reads at its start. */
  readonly launches: string;
}

/** What a test replaces to run the whole server in its own process. */
export interface Replacements {
  readonly clock?: Clock;
  readonly openBackend?: OpenBackend;
  readonly servers?: Servers;
  readonly serve?: typeof startStdio;
  /** Counts for several servers in one process. Its owner opens and closes it. */
  readonly meter?: Meter;
}

export interface App {
  /** Builds the MCP server of a connection or request. */
  readonly factory: ReturnType<typeof createServerFactory>;
  /** Changes of sessions. Over HTTP, clients of the 2026 protocol hear of them through the endpoint. */
  readonly updates: ResourceUpdates;
  /** The sessions as a person sees them on the page. */
  desk(): Promise<Desk>;
  /** Serves until the client disconnects. */
  start(opened?: Opened): StdioTransport;
  /** Ends every session process. Resolves when all of them have exited. */
  close(): Promise<void>;
}

/** With the global object: importing node:crypto would delay the start. */
const ids: IdSource = {
  uuid: () => crypto.randomUUID(),
  short: () => Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('base64url'),
};

/** Metrics start even if the client never calls a tool, because the operator may still read them. */
const metricsDelayMs = 500;

/** Composition root: builds every part from the config. No other module does. */
export async function createApp(
  config: AppConfig,
  { clock = systemClock, openBackend, servers, serve = startStdio, meter: shared }: Replacements = {},
): Promise<App> {
  const { settings, logger, redactor } = config;
  // First, because only the audit log can refuse: nothing has to be undone then.
  const files = config.audit === undefined ? [] : [config.audit];
  const isNested = config.depth > settings.maxDepth;
  const tools = await composeTools(settings, config);
  const approvers = new Set<Approver>();
  const census = new ToolCensus();
  const updates = new ResourceUpdates(clock);
  const metrics = shared === undefined ? createMetrics(config) : undefined;
  const meter = shared ?? metrics ?? noMeter;
  const audit = auditTo([...files, createLogAudit(logger)]);
  let sessions: Promise<ComposedSessions> | undefined;
  // Start-up time is import time, so the session layer loads on first use.
  const loadSessions = (): Promise<ComposedSessions> =>
    (sessions ??= import('./compose-sessions.js').then(({ composeSessions }) =>
      composeSessions(config, {
        clock,
        ids,
        openBackend,
        servers,
        approvers,
        page: config.page ?? page ?? noPage,
        census,
        meter,
        onEvent: (sessionId) => updates.sessionChanged(sessionId),
        audit,
      }),
    ));
  let opened: Promise<Desk> | undefined;
  const desk = (): Promise<Desk> =>
    (opened ??= Promise.all([import('./page/compose-desk.js'), loadSessions()]).then(
      ([{ composeDesk }, { manager }]) => composeDesk(config, manager),
    ));
  const page =
    config.tenant === undefined ? latePage(config, { desk: desk, audit, meter, clock }) : undefined;
  const loadDependencies = async (): Promise<ToolDependencies> => ({
    sessions: (await loadSessions()).manager,
    maxWaitMs: settings.maxWaitMs,
  });
  // The slow import of the Agent SDK begins with the first call that may need it, not with the list of tools: most
  // clients list the tools of every server, and never call most of them.
  const prepare = once(() => {
    void loadSessions()
      .then(({ backend }) => backend.prepare())
      .catch(() => undefined);
  });
  const factory = createServerFactory({
    version: config.version,
    tools: isNested ? [] : tools,
    wireSchemas: wireSchemasIn(config.answers?.results['tools/list']),
    nextTurn: nextTurnIn(config),
    resources: isNested
      ? []
      : [
          ...referenceResources(census, tools),
          usageResource(loadDependencies),
          ...viewResources(tools, config),
        ],
    // A stdio server lives as long as its connection, so it can announce changes to the tool list.
    census: settings.dynamicTools ? census : undefined,
    isStructured: settings.structured,
    instructions: isNested ? nestedInstructions : instructionsFor(settings),
    onAct: prepare,
    updates,
    loadDependencies,
    isElicitationOn: settings.elicitation === 'auto',
    approvers,
    observers: [createCallLog(logger), createCallMeter(meter), ...files.map(createCallAudit)],
    clock,
    logger,
    redactor,
    ids,
  });
  let transport: StdioTransport | undefined;
  return {
    factory,
    updates,
    desk,
    start(opened) {
      if (metrics !== undefined) setTimeout(() => metrics.open(), metricsDelayMs).unref();
      page?.openSoon();
      return (transport = serve(factory, logger, opened));
    },
    async close() {
      await Promise.allSettled([transport?.close(), sessions?.then(({ manager }) => manager.shutdown())]);
      // After the sessions, so that the page shows how they end.
      await page?.close();
      await config.audit?.close();
      // Last, so that the metrics include the end of every session.
      await metrics?.close();
    },
  };
}

/** Over stdin and stdout, the server has a single client. */
function nextTurnIn({ tenant }: AppConfig): ((caller: Caller) => Promise<void>) | undefined {
  return tenant && (({ login = '' }) => tenant.nextTurn(login));
}

/** The views of the tools that have one. */
function viewResources(tools: readonly ServedTool[], { pageFolder }: AppConfig): readonly TextResource[] {
  return tools.flatMap(({ shownIn }) =>
    shownIn === undefined
      ? []
      : [
          viewResource(shownIn, async () => {
            const { readFile } = await import('node:fs/promises');
            return readFile(join(pageFolder, 'view.html'), 'utf8');
          }),
        ],
  );
}

function createMetrics({ settings, logger }: AppConfig): LazyMetrics | undefined {
  const target = metricsTarget(settings.metrics);
  if (target === undefined || target === 'off') return undefined;
  return new LazyMetrics(logger, async () => {
    const { openMetrics } = await import('../observability/metrics/open.js');
    return openMetrics(target, { clock: systemClock, logger });
  });
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
