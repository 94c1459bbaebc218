import { describe, expect, it } from 'vitest';
import { guardsFor } from '../../src/http/guards.js';
import { exchange, origin, routesFor } from '../kit/http.js';

const paths = ['/mcp', '/healthz', '/readyz', '/metrics', '/unknown'];

function get(path: string, headers: Record<string, string>, base = origin): Request {
  return new Request(`${base}${path}`, { headers: { host: new URL(base).host, ...headers } });
}

describe.each(paths)('a request for %s', (path) => {
  it.each([
    ['another host name', { host: 'attacker.example:8137' }, 421],
    ['another port', { host: '127.0.0.1:9' }, 421],
    ['no port', { host: '127.0.0.1' }, 421],
    ['no host', { host: '' }, 421],
    ['a name that ends like ours', { host: 'x.127.0.0.1:8137' }, 421],
    ['the origin of another site', { origin: 'https://attacker.example' }, 403],
    ['the origin of another port', { origin: 'http://127.0.0.1:3000' }, 403],
    ['the origin of another scheme', { origin: 'https://127.0.0.1:8137' }, 403],
    ['the origin of a sandboxed page', { origin: 'null' }, 403],
    ['an empty origin', { origin: '' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of a neighbouring site', { 'sec-fetch-site': 'same-site' }, 403],
  ])('is refused with %s', async (_name, headers, status) => {
    const routes = routesFor({
      authenticate: () => Promise.reject(new Error('The guard let it pass')),
    });

    const response = await routes(get(path, headers), exchange);

    expect([response.status, await response.json()]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: { code: -32_000, message: expect.any(String) } },
    ]);
  });
});

describe('a request to the service itself', () => {
  it.each([
    ['from a program', {}],
    ['from its own page', { origin, 'sec-fetch-site': 'same-origin' }],
    ['typed into a browser', { 'sec-fetch-site': 'none' }],
    ['with the host in capitals', { host: '127.0.0.1:8137'.toUpperCase() }],
  ])('passes %s', async (_name, headers) => {
    const response = await routesFor()(get('/mcp', headers), exchange);

    expect(await response.text()).toBe('the endpoint');
  });

  it.each(['agents.example.com', 'agents.example.com:443'])(
    'passes with the public host %s',
    async (host) => {
      const routes = routesFor({ guards: guardsFor([origin, 'https://agents.example.com']) });

      const response = await routes(
        get('/mcp', { host, origin: 'https://agents.example.com', 'sec-fetch-site': 'same-origin' }),
        exchange,
      );

      expect(await response.text()).toBe('the endpoint');
    },
  );
});
