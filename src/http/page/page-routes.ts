import { Rooms } from '../body/room.js';
import type { Exchange } from '../exchange.js';
import type { PathRoutes, Routes } from '../routes.js';
import { assetRoutes, type PageFiles } from './assets.js';
import { createCalls, deviceSender, type CallSettings } from './calls.js';
import { hardened } from './headers.js';
import { OpenStreams } from './open-streams.js';
import { identityOf } from './page-login.js';
import { problemAnswer } from './problems.js';
import { streamAnswer, type StreamSettings } from './stream.js';

export interface PageSettings extends Omit<CallSettings, 'unread'> {
  readonly files: PageFiles;
}

/** The paths of the page. */
export function createPageRoutes(settings: PageSettings): PathRoutes {
  const { login, deskOf, leases, files, isReady, turns } = settings;
  const assets = assetRoutes(files);
  const unread = new Rooms();
  const streams = new OpenStreams();
  const calls = createCalls({ ...settings, unread });

  const stream = async (request: Request, exchange: Exchange): Promise<Response> => {
    if (!isReady()) return problemAnswer('shutting_down', { retryAfter: 3 });
    const device = await login.admit({ request, exchange });
    if (device instanceof Response) return device;
    const sender = deviceSender(device);
    const hold: StreamSettings['hold'] = (end) => {
      const forget = streams.open(sender, () => end('too_many'));
      const release = leases.hold(identityOf(device), () => end('signed_out'));
      return () => {
        forget();
        release();
      };
    };
    const desk = await deskOf(device.principal);
    const share = unread.of(device.principal).share();
    const turn = (): Promise<void> => turns.next(sender);
    return streamAnswer(request, { ...settings, desk, exchange, hold, turn, unread: share });
  };

  const routeOf = (pathname: string): Routes | undefined => {
    const asset = assets.get(pathname);
    if (asset !== undefined) return only(['GET', 'HEAD'], async (request) => asset(request));
    if (pathname === '/api/stream') return only(['GET'], stream);
    const [, call] = /^\/api\/([A-Za-z]+)$/.exec(pathname) ?? [];
    if (call !== undefined) return only(['POST'], (request, exchange) => calls(call, request, exchange));
    return undefined;
  };

  return (pathname) => {
    const route = routeOf(pathname);
    return route && (async (request, exchange) => hardened(await route(request, exchange)));
  };
}

function only(methods: readonly string[], route: Routes): Routes {
  return async (request, exchange) =>
    methods.includes(request.method)
      ? route(request, exchange)
      : new Response(null, { status: 405, headers: { allow: methods.join(', ') } });
}
