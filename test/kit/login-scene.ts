/** The routes of the service in this process, with real tokens and a stand-in for everything behind them. */
import { composeLogin } from '../../src/app/service/compose-login.js';
import { composeTokens } from '../../src/app/service/compose-tokens.js';
import { loadSettings } from '../../src/config/load.js';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import type { Measurement } from '../../src/core/observability/measurements.js';
import type { Identity, Scope } from '../../src/http/auth/identity.js';
import type { Endpoint } from '../../src/http/endpoint.js';
import type { Exchange } from '../../src/http/exchange.js';
import { guardsFor } from '../../src/http/guards.js';
import { createRoutes } from '../../src/http/routes.js';
import { auditInto } from './audits.js';
import { FakeClock } from './fake-clock.js';
import { temporaryFolder } from './temporary-folder.js';

export interface LoginSceneOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What serves requests that were admitted. */
  readonly endpointFor?: (
    parts: Pick<ReturnType<typeof composeLogin>, 'leases'> & { readonly clock: FakeClock },
  ) => Endpoint;
}

const host = '127.0.0.1:8137';

export function loginScene({ env = {}, endpointFor }: LoginSceneOptions = {}) {
  const [stateDir, clock] = [temporaryFolder(), new FakeClock(Date.now())];
  const tokens = composeTokens(stateDir);
  const audited: AuditEntry[] = [];
  const measured: Measurement[] = [];
  const logged: string[] = [];
  const served: Identity[] = [];
  const login = composeLogin({
    settings: loadSettings({}, env).settings,
    stateDir,
    tokens,
    isPrincipal: (name) => ['owner', 'alice'].includes(name),
    clock,
    logger: { log: (_level, message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`) },
    audit: auditInto(audited),
    meter: { measure: (one) => void measured.push(one), watchSessions: () => undefined },
  });
  const endpoint = endpointFor?.({ leases: login.leases, clock });
  const routes = createRoutes({
    ...login,
    guards: guardsFor([`http://${host}`]),
    metrics: async () => ({ contentType: 'text/plain', text: 'a_metric 1\n' }),
    endpointOf: async () => ({
      ...(endpoint ?? standIn),
      async fetch(request, identity, exchange) {
        served.push(identity);
        return (endpoint ?? standIn).fetch(request, identity, exchange);
      },
    }),
    isReady: () => true,
  });
  const exchange: Exchange = { closed: new Promise(() => undefined), peer: '127.0.0.1' };
  return {
    login,
    tokens,
    clock,
    stateDir,
    audited,
    measured,
    logged,
    served,
    /** Sends a request to a path of the service. */
    fetch: (
      path: string,
      init: RequestInit & { readonly token?: string } = {},
      from: Partial<Exchange> = {},
    ) => {
      const { token, ...rest } = init;
      const headers = { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      const request = new Request(`http://${host}${path}`, {
        ...rest,
        headers: { ...headers, ...(rest.headers as Record<string, string> | undefined) },
      });
      return routes(request, { ...exchange, ...from });
    },
    createToken: (name: string, scopes: readonly Scope[], expiresAt?: number) =>
      tokens.create({ name, principal: 'owner', scopes, now: clock.now(), expiresAt }),
  };
}

const standIn: Endpoint = {
  fetch: async () => new Response('served'),
  notify: undefined as never,
  close: async () => undefined,
};
