import { createApp, type App, type AppConfig, type Replacements, type Tenant } from '../app.js';
import type { OpenAudit } from '../compose-audit.js';
import { spawnPermits } from '../compose-sessions.js';
import type { TenantPlan, TenantPlans } from './tenant-plans.js';
import { systemClock } from '../../core/clock.js';
import { withFields, type Logger } from '../../core/observability/logger.js';
import type { Meter } from '../../core/observability/measurements.js';
import { redactRecord } from '../../core/observability/redact-record.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { keyFolderOf } from '../../config/key-folder.js';
import { stateDirOf } from '../../config/settings.js';
import { realPathOfNearest } from '../../files/real-path.js';
import type { Desk } from '../../page/desk.js';
import { senderOf } from '../../http/auth/fair-turns.js';
import { createEndpoint, type Endpoint, type EndpointSettings } from '../../http/endpoint.js';
import { createRedactor } from '../../observability/redact/redact.js';
import { Permits } from '../../session/services/permits.js';
import { Slots } from '../../session/services/slots.js';

export interface TenantsSettings {
  /** Of the whole service. */
  readonly config: AppConfig;
  readonly plans: TenantPlans;
  readonly endpoint: Pick<
    EndpointSettings,
    | 'leases'
    | 'turns'
    | 'maxBodyBytes'
    | 'keepAliveMs'
    | 'legacyIdleMs'
    | 'maxLegacySessions'
    | 'maxConnections'
  >;
  /** Makes the meter of a principal. All of them count together. */
  readonly meter: () => Meter;
  readonly replacements?: Replacements | undefined;
}

interface OpenTenant {
  readonly app: App;
  readonly endpoint: Endpoint;
}

/**
 * The principals of a service. Each has its own session layer, state folder, Claude Code folder and MCP endpoint, so that
 * nothing of one can be found from another.
 */
export class Tenants {
  readonly #settings: TenantsSettings;
  readonly #open = new Map<string, Promise<OpenTenant>>();
  readonly #shared: Omit<Tenant, 'places' | 'nextTurn'>;
  #isEnding = false;

  constructor(settings: TenantsSettings) {
    const { config } = settings;
    this.#settings = settings;
    this.#shared = {
      serviceDir: realPathOfNearest(stateDirOf(config.settings, config.environment, config.home)),
      slots: new Slots(config.settings.maxSessions),
      permits: new Permits(spawnPermits),
      keyFolder: keyFolderOf(config.environment, config.home),
    };
  }

  async endpointOf(principal: string): Promise<Endpoint> {
    return (await this.#tenantOf(principal)).endpoint;
  }

  /** The sessions of a principal as a person sees them. */
  async deskOf(principal: string): Promise<Desk> {
    return (await this.#tenantOf(principal)).app.desk();
  }

  /** The first request of a principal opens its sessions. */
  async #tenantOf(principal: string): Promise<OpenTenant> {
    const plan = this.#settings.plans.get(principal);
    if (plan === undefined) throw new Error(`${principal} is not a principal of this service`);
    // Sessions that begin now would never be ended.
    if (this.#isEnding && !this.#open.has(principal)) throw new Error('the service is shutting down');
    const opened = this.#open.get(principal) ?? this.#openTenant(plan);
    this.#open.set(principal, opened);
    // The next request tries again.
    opened.catch(() => this.#open.delete(principal));
    return opened;
  }

  /** Whether a session of any principal has a live process. */
  get isBusy(): boolean {
    return this.#shared.slots.isInUse;
  }

  /** Ends every session process. Calls that wait for one are answered. */
  async endSessions(): Promise<void> {
    this.#isEnding = true;
    await this.#each(({ app }) => app.close());
  }

  async disconnect(): Promise<void> {
    await this.#each(({ endpoint }) => endpoint.close());
  }

  async #each(act: (tenant: OpenTenant) => Promise<void>): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(async (opened) => act(await opened)));
  }

  async #openTenant(plan: TenantPlan): Promise<OpenTenant> {
    const { config, endpoint, replacements, meter } = this.#settings;
    const redactor = redactorOf(plan, config);
    const logger = maskedBy(redactor, withFields(config.logger, { principal: plan.principal }));
    const { user, ...planned } = plan;
    const app = await createApp(
      {
        ...config,
        ...planned,
        // `~` of the operator is not the home of the principal.
        executable: config.executable?.replace(/^~(?=\/)/, config.home),
        logger,
        audit: config.audit && auditOf(plan.principal, config.audit, redactor),
        redactor,
        tenant: {
          ...this.#shared,
          nextTurn: (credential) => endpoint.turns.next(senderOf({ ...plan, credential })),
          places: plan.places,
          user: user && { system: user.system, launches: user.folders.launches },
        },
      },
      { ...replacements, meter: meter() },
    );
    const clock = replacements?.clock ?? systemClock;
    const served = createEndpoint({ ...endpoint, factory: app.factory, clock, logger });
    app.updates.listen((uri) => served.notify.resourceUpdated(uri));
    return { app, endpoint: served };
  }
}

/** One audit log for the service. It stays open when the sessions of one principal end. */
function auditOf(principal: string, audit: OpenAudit, redactor: Redactor): OpenAudit {
  return {
    path: audit.path,
    record: (entry) => audit.record({ ...redactRecord(entry, redactor), principal }),
    recordOrThrow: (entry) => audit.recordOrThrow({ ...redactRecord(entry, redactor), principal }),
    close: async () => undefined,
  };
}

/**
 * Knows the secrets of the operator and of this principal. With those of another, a caller could find out whether a
 * text is one of them, because it would be masked, and could mask words in the records of another.
 */
function redactorOf({ environment }: TenantPlan, { settings, ...config }: AppConfig): Redactor {
  return createRedactor({
    ...config.environment,
    PRINCIPAL_API_KEY: environment['ANTHROPIC_API_KEY'],
    RESUME_SECRET: settings.resumeSecret,
  });
}

/** A log in which the secrets of one principal are masked. The log itself knows those of the operator only. */
function maskedBy(redactor: Redactor, logger: Logger): Logger {
  return {
    log: (level, message, fields = {}) =>
      logger.log(level, redactor.redact(message), redactRecord(fields, redactor)),
  };
}
