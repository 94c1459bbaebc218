import type { DeviceRefusal, RefusalReason } from '../core/observability/measurements.js';
import { problem } from './answers.js';
import type { AnonymousLimit } from './auth/anonymous-limit.js';
import type { Authenticator } from './auth/authenticator.js';
import type { Identity, Scope } from './auth/identity.js';
import { networkOf } from './auth/network.js';
import type { ProtectedResource } from './auth/protected-resource.js';
import type { RateLimit } from './auth/rate-limit.js';
import type { RunningLimit } from './auth/running-limit.js';
import type { Exchange } from './exchange.js';
import type { Refusals } from './refusals.js';

export interface AdmissionSettings {
  readonly authenticator: Authenticator;
  readonly refusals: Refusals;
  /** Whether the operator has configured this principal. */
  readonly isPrincipal: (name: string) => boolean;
  /** Undefined: OAuth is off. */
  readonly resource: ProtectedResource | undefined;
  /** By principal. */
  readonly requests: RateLimit;
  /** By principal and credential. A connection with a running request is never closed to make room. */
  readonly running: RunningLimit;
  /** By the network of the peer. */
  readonly failures: RateLimit;
  readonly anonymous: AnonymousLimit;
}

/** Decides whether a request is served, by its credential, principal, scope and rate. */
export interface Admission {
  /** Returns the sender, or the refusal as an answer. */
  admit(request: Request, exchange: Exchange, scope: Scope): Promise<Identity | Response>;
  /** The same for a request that acts for `principal`. Only an admin may act for others. */
  admitFor(principal: string, request: Request, exchange: Exchange): Promise<Identity | Response>;
  /**
   * The refusal of a sender that was admitted, if its credential has ended since. A body may arrive for half a minute, and
   * a sender could hold back the end of many.
   */
  refuseEnded(request: Request, exchange: Exchange): Promise<Response | undefined>;
  /** For a request that needs no token. Returns the refusal if there are too many. */
  refuseAnonymous(request: Request, exchange: Exchange): Response | undefined;
  /** The same for a health check, regardless of what other addresses send. */
  refuseHealthCheck(request: Request, exchange: Exchange): Response | undefined;
}

type Reason = Exclude<RefusalReason, 'foreign_host' | 'foreign_page' | 'foreign_connection' | DeviceRefusal>;

interface Row {
  readonly status: number;
  readonly message: string;
  /** The error of the challenge (RFC 6750). */
  readonly error?: 'invalid_token' | 'insufficient_scope';
}

const rows: Readonly<Record<Reason, Row>> = {
  no_token: {
    status: 401,
    message:
      'This service needs a bearer token in the Authorization header. The operator creates one with "claude-code-mcp token create <name>".',
  },
  wrong_token: {
    status: 401,
    message:
      'This token is unknown, or it was revoked. The operator creates a new one with "claude-code-mcp token create <name>".',
    error: 'invalid_token',
  },
  expired_token: {
    status: 401,
    message: 'This token has expired. Ask the operator for a new one, or sign in again.',
    error: 'invalid_token',
  },
  wrong_audience: {
    status: 401,
    message: 'This token was issued for another service. Request one for this service.',
    error: 'invalid_token',
  },
  unknown_principal: {
    status: 403,
    message:
      'The principal of this request is not configured. Ask the operator to add it to "principals" in the config file.',
  },
  missing_scope: {
    status: 403,
    message: 'This token does not have the scope that this request needs. Use a token with the scope',
    error: 'insufficient_scope',
  },
  too_many_failures: {
    status: 429,
    message: 'Too many failed logins. Check the token, and try again later.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Try again later.' },
  too_many_anonymous: {
    status: 429,
    message: 'Too many requests without a valid token. Try again later.',
  },
  login_unavailable: {
    status: 503,
    message:
      'The service cannot check tokens at the moment. Try again later. The log of the service has the reason.',
  },
};

/** When to try again after `login_unavailable`. */
const unavailableSeconds = 5;
/** When to try again while too many requests of a principal run. */
const busySeconds = 1;

interface Refused {
  readonly sender?: Identity;
  readonly retryAfter?: number;
  /** The scope that the request needs. */
  readonly scope: Scope;
  /** Discards the requests that follow on the same connection. */
  readonly isLast?: boolean;
}

export function createAdmission(settings: AdmissionSettings): Admission {
  const { authenticator, refusals, isPrincipal, resource, requests, running, failures, anonymous } = settings;

  const refuse = (
    reason: Reason,
    request: Request,
    exchange: Exchange,
    { sender, retryAfter, scope, isLast = false }: Refused,
  ) => {
    refusals.note(reason, request, exchange, sender);
    const { status, message, error } = rows[reason];
    const text = error === 'insufficient_scope' ? `${message} ${scope}.` : message;
    const isChallenge = status === 401 || error !== undefined;
    return problem(status, -32_000, text, {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(isLast ? { connection: 'close' } : {}),
      ...(isChallenge ? { 'www-authenticate': challenge({ error, scope, resource }, request) } : {}),
    });
  };

  const refuseAnonymous = (
    request: Request,
    exchange: Exchange,
    scope: Scope = 'call',
    retryAfter = anonymous.take(networkOf(exchange.peer)),
  ): Response | undefined => {
    if (retryAfter === 0) return undefined;
    return refuse('too_many_anonymous', request, exchange, { scope, retryAfter, isLast: true });
  };

  const login = async (request: Request, exchange: Exchange, scope: Scope): Promise<Identity | Response> => {
    const found = await authenticator.authenticate(request);
    if (typeof found === 'object') return found;
    if (found === 'login_unavailable')
      return refuse(found, request, exchange, { scope, retryAfter: unavailableSeconds });
    // Only failures count, and a valid token is always accepted: many clients can share one address.
    const tooMany = refuseAnonymous(request, exchange, scope);
    if (tooMany !== undefined) return tooMany;
    const wait = failures.take(networkOf(exchange.peer));
    return wait === 0
      ? refuse(found, request, exchange, { scope })
      : refuse('too_many_failures', request, exchange, { scope, retryAfter: wait });
  };

  const admit: Admission['admit'] = async (request, exchange, scope) => {
    const sender = await login(request, exchange, scope);
    if (sender instanceof Response) return sender;
    if (!isPrincipal(sender.principal))
      return refuse('unknown_principal', request, exchange, { sender, scope });
    if (!sender.scopes.includes(scope)) return refuse('missing_scope', request, exchange, { sender, scope });
    const { principal, credential, scopes } = sender;
    const mayApprove = scopes.includes('approve');
    const wait =
      requests.take(principal) ||
      (running.begin({ principal, credential, mayApprove }, exchange.closed) ? 0 : busySeconds);
    if (wait > 0) return refuse('too_many_requests', request, exchange, { sender, scope, retryAfter: wait });
    exchange.admitted?.();
    return sender;
  };

  return {
    admit,
    async refuseEnded(request, exchange) {
      const sender = await login(request, exchange, 'call');
      return sender instanceof Response ? sender : undefined;
    },
    refuseAnonymous: (request, exchange) => refuseAnonymous(request, exchange),
    refuseHealthCheck: (request, exchange) =>
      refuseAnonymous(request, exchange, 'call', anonymous.takeOwn(networkOf(exchange.peer))),
    async admitFor(principal, request, exchange) {
      const sender = await admit(request, exchange, 'admin');
      if (sender instanceof Response) return sender;
      if (!isPrincipal(principal))
        return refuse('unknown_principal', request, exchange, { sender, scope: 'admin' });
      return { ...sender, principal };
    },
  };
}

interface Challenge extends Pick<AdmissionSettings, 'resource'> {
  readonly error: Row['error'] | undefined;
  readonly scope: Scope;
}

/** Tells OAuth clients what was wrong, and where to get a token. */
function challenge({ error, scope, resource }: Challenge, request: Request): string {
  const missing = error === 'insufficient_scope' ? scope : undefined;
  const name = resource === undefined ? missing : resource.scopeName(scope);
  const parts = [
    ...(error === undefined ? [] : [['error', error]]),
    ...(name === undefined ? [] : [['scope', name]]),
    ...(resource === undefined ? [] : [['resource_metadata', resource.urlFor(request)]]),
  ];
  return ['Bearer', parts.map(([key, value]) => `${key}="${value}"`).join(', ')].join(' ').trim();
}
