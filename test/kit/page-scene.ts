/** The door of the page in this process: real devices, a clock that tests move, and a stand-in for the desk. */
import { onTestFinished } from 'vitest';
import { composeDevices } from '../../src/app/page/compose-devices.js';
import { composePage } from '../../src/app/page/compose-page.js';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import type { Measurement } from '../../src/core/observability/measurements.js';
import { FairTurns } from '../../src/http/auth/fair-turns.js';
import { failuresPerMinute, RateLimit } from '../../src/http/auth/rate-limit.js';
import { RunningLimit } from '../../src/http/auth/running-limit.js';
import type { Exchange } from '../../src/http/exchange.js';
import { guardsFor } from '../../src/http/guards.js';
import type { PageFiles } from '../../src/http/page/assets.js';
import { Refusals } from '../../src/http/refusals.js';
import { guarded } from '../../src/http/routes.js';
import type { Paired } from '../../src/page/contract.js';
import type { Desk } from '../../src/page/desk.js';
import { auditInto } from './audits.js';
import { FakeClock } from './fake-clock.js';
import { temporaryFolder } from './temporary-folder.js';

const pageOrigin = 'http://127.0.0.1:8137';

export const pageFiles: PageFiles = {
  'index.html': Buffer.from('<!doctype html><title>page</title>'),
  'page.js': Buffer.from('export {};'),
  'style.css': Buffer.from('body {}'),
  'icon.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

/** A browser: it keeps its cookie, and its key. */
export interface Jar {
  readonly cookie: string;
  readonly key: string;
}

export type PageRequest = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export interface PageSceneOptions {
  readonly desk?: Partial<Desk>;
  readonly stateDir?: string;
  readonly server?: string;
  readonly origins?: readonly string[];
  readonly requestsPerMinute?: number;
  readonly turns?: Pick<FairTurns, 'next'>;
}

const quietDesk: Desk = {
  call: () => Promise.reject(new Error('This desk answers no call')),
  explain: ({ reason, message }) => ({ reason, message: `In words for people: ${message}` }),
  about: async () => ({ modes: ['default'], defaultFolder: '/work', budgetTodayUsd: undefined }),
  stream: async function* () {},
};

export function pageScene(options: PageSceneOptions = {}) {
  const { desk = {}, stateDir = temporaryFolder(), origins = [pageOrigin], server } = options;
  const clock = new FakeClock(Date.now());
  const devices = composeDevices(stateDir, clock);
  const audited: AuditEntry[] = [];
  const measured: Measurement[] = [];
  const logged: string[] = [];
  const state = { isReady: true };
  const guards = guardsFor(origins);
  const meter = { measure: (one: Measurement) => void measured.push(one), watchSessions: () => undefined };
  const refusals = new Refusals({ audit: auditInto(audited), meter, clock });
  const requests = new RateLimit({ perMinute: options.requestsPerMinute ?? 60_000, clock });
  const page = composePage({
    version: '1.2.3',
    files: pageFiles,
    devices,
    guards,
    refusals,
    requests,
    running: new RunningLimit(200),
    failures: new RateLimit({ perMinute: failuresPerMinute, clock }),
    isPrincipal: (name) => ['owner', 'alice'].includes(name),
    deskOf: async () => ({ ...quietDesk, ...desk }),
    server,
    isReady: () => state.isReady,
    turns: options.turns ?? new FairTurns(),
    clock,
    logger: { log: (_level, message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`) },
  });
  onTestFinished(() => page.close());
  const routes = guarded(page.routes, {
    guards,
    refusals,
    visited: new Set(['/']),
    notFound: async () => new Response('Not found.', { status: 404 }),
    refuseAnonymous: () => undefined,
  });
  const exchange: Exchange = {
    closed: new Promise(() => undefined),
    peer: '127.0.0.1',
    admitted: () => undefined,
  };

  const fetch = (path: string, init: RequestInit = {}, from: Partial<Exchange> = {}): Promise<Response> => {
    const [base = pageOrigin] = origins;
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', new URL(base).host);
    return routes(new Request(`${base}${path}`, { ...init, headers }), { ...exchange, ...from });
  };
  const call = (
    name: string,
    input: unknown,
    jar?: Partial<Jar>,
    { peer, ...init }: PageRequest & Partial<Pick<Exchange, 'peer'>> = {},
  ) => {
    const from = peer === undefined ? {} : { peer };
    const headers = { 'content-type': 'application/json', ...headersOf(jar), ...init.headers };
    return fetch(`/api/${name}`, { method: 'POST', body: JSON.stringify(input), ...init, headers }, from);
  };
  const pair = async (name = 'Browser', principal = 'owner') => {
    const code = await devices.codes.create({ principal, now: clock.now() });
    return jarOf(await call('pair', { code, name }));
  };
  return {
    stateDir,
    clock,
    devices,
    audited,
    measured,
    logged,
    state,
    requests,
    fetch,
    call,
    pair,
    close: () => page.close(),
  };
}

/** What a browser keeps of the answer to `pair` or `signIn`. */
export async function jarOf(response: Response): Promise<Jar & { readonly deviceId: string }> {
  const { key, device } = (await response.json()) as Paired;
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie, key, deviceId: device.deviceId };
}

export function headersOf({ cookie, key }: Partial<Jar> = {}): Record<string, string> {
  return { ...(cookie !== undefined && { cookie }), ...(key !== undefined && { 'page-key': key }) };
}

/** Status and reason of a refusal. */
export async function refusalOf(response: Response): Promise<readonly [number, string]> {
  const { error } = (await response.json()) as { error: { reason: string } };
  return [response.status, error.reason];
}
