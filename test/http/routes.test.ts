import { describe, expect, it } from 'vitest';
import { exchange, origin, owner, routesFor } from '../kit/http.js';
import { openLogin } from '../kit/open-login.js';

const { host } = new URL(origin);

function request(path: string, method = 'GET'): Request {
  return new Request(`${origin}${path}`, { method, headers: { host } });
}

async function answerOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, await response.text()];
}

describe('the paths of the service', () => {
  it.each([
    ['/healthz', [200, 'ok\n']],
    ['/readyz', [200, 'ready\n']],
    ['/metrics', [200, 'a_metric 1\n']],
    ['/mcp', [200, 'the endpoint']],
    ['/mcp/', [200, 'the endpoint']],
  ])('%s answers', async (path, expected) => {
    expect(await answerOf(await routesFor()(request(path), exchange))).toEqual(expected);
  });

  it.each(['/', '/mcp//', '/constructor', '//mcp', '/mcp/../metrics/x'])('%s is not found', async (path) => {
    const response = await routesFor()(request(path), exchange);

    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { message: 'Not found. MCP clients connect to /mcp.' } },
    ]);
  });

  it.each(['/healthz', '/readyz', '/metrics'])('%s can only be read', async (path) => {
    const response = await routesFor()(request(path, 'POST'), exchange);

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the page', () => {
  it('counts requests as those of a stranger until their sender is known', async () => {
    let left = 2;
    const refuseAnonymous = (): Response | undefined =>
      (left -= 1) < 0 ? new Response(null, { status: 429 }) : undefined;
    const routes = routesFor({
      admission: { ...openLogin(owner).admission, refuseAnonymous },
      page:
        () =>
        async (asked, { admitted }) => {
          if (asked.headers.has('page-key')) admitted?.();
          return new Response('the page');
        },
    });
    const statusOf = async (headers: Record<string, string> = {}): Promise<number> =>
      (await routes(new Request(request('/').url, { headers: { host, ...headers } }), exchange)).status;

    const statuses = [
      await statusOf(),
      await statusOf(),
      await statusOf(),
      await statusOf({ 'page-key': 'x' }),
    ];

    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

describe('a service that shuts down', () => {
  const routes = routesFor({ isReady: () => false });

  it('is alive but not ready', async () => {
    const [alive, ready] = [
      await routes(request('/healthz'), exchange),
      await routes(request('/readyz'), exchange),
    ];

    expect([alive.status, ready.status]).toEqual([200, 503]);
  });

  it('asks clients to repeat their calls', async () => {
    const response = await routes(request('/mcp', 'POST'), exchange);

    expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
      503,
      '3',
      { error: { message: 'The service is shutting down. Repeat this request in a few seconds.' } },
    ]);
  });
});

describe('metrics', () => {
  it('need the scope admin', async () => {
    const routes = routesFor({
      identity: { ...owner, scopes: ['call', 'approve'] },
      metrics: () => Promise.reject(new Error('They were read')),
    });

    const response = await routes(request('/metrics'), exchange);

    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="admin"',
    ]);
  });

  it('that cannot be collected say what is missing', async () => {
    const response = await routesFor({ metrics: async () => undefined })(request('/metrics'), exchange);

    expect([response.status, await response.text()]).toEqual([501, expect.stringContaining('prom-client')]);
  });
});
