import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveMetrics, type MetricsPage } from '../../../src/observability/metrics/http.js';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

async function createScene(page: Partial<MetricsPage> = {}) {
  const logged: unknown[] = [];
  const { port, close } = await serveMetrics(
    { kind: 'http', host: '127.0.0.1', port: 0 },
    { contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n', ...page },
    { log: (...line: unknown[]) => void logged.push(line) },
  );
  onTestFinished(close);
  return { port, close, logged, ask: (options: Ask = {}) => ask(port, options) };
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By hand, because fetch sets Host itself. */
function ask(port: number, { method = 'GET', path = '/metrics', headers = {} }: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (body += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** What is answered to bytes as no client would send them; empty when the connection is closed without an answer. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => (answer += piece));
    socket.on('close', () => resolve(answer));
    socket.on('error', () => undefined);
  });
}

describe('the metrics endpoint', () => {
  it('serves metrics under every loopback host name, and logs its address', async () => {
    const { port, ask, logged } = await createScene();

    const replies = await Promise.all(
      ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'].map((name) =>
        ask({ headers: { host: `${name}:${port}` } }),
      ),
    );

    for (const reply of replies) {
      expect(reply).toMatchObject({
        status: 200,
        body: 'up 1\n',
        headers: {
          'content-type': 'text/plain; version=0.0.4',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        },
      });
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(logged).toEqual([['info', 'metrics are served', { url: `http://127.0.0.1:${port}/metrics` }]]);
  });

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    '127.0.0.1:PORT.evil.example',
    'user@127.0.0.1:PORT',
    '0.0.0.0:PORT',
  ])('refuses requests for the host %j', async (host) => {
    const { port, ask } = await createScene();

    const reply = await ask({ headers: { host: host.replace('PORT', String(port)) } });

    expect(reply).toMatchObject({ status: 421 });
    expect(reply.body).not.toContain('up 1');
  });

  it.each([
    { origin: 'http://127.0.0.1:9464' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin' },
  ])('refuses requests from web pages: %j', async (headers) => {
    const { ask } = await createScene();

    expect(await ask({ headers })).toMatchObject({ status: 403, body: 'Web pages cannot read metrics.\n' });
  });

  it.each(['/', '/metrics/', '/metrics?x=1', '/METRICS', '//metrics', '/..%2fmetrics', '/favicon.ico'])(
    'returns 404 at %s',
    async (path) => {
      const { ask } = await createScene();

      expect(await ask({ path })).toMatchObject({ status: 404, body: 'Not found. Use /metrics.\n' });
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('refuses %s', async (method) => {
    const { ask } = await createScene();

    expect(await ask({ method })).toMatchObject({
      status: 405,
      body: 'Use GET.\n',
      headers: { allow: 'GET' },
    });
  });

  it.each([
    ['no HTTP', '\u0000\u0001\u0002\r\n\r\n'],
    ['two lengths', 'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['endless headers', `GET /metrics HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['another server to go on to', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ])('does not answer %s, and keeps running', async (_what, bytes) => {
    const { port, ask } = await createScene();

    const answer = await send(port, bytes);

    expect(answer).toBe('');
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('refuses requests with two Host headers or none', async () => {
    const { port } = await createScene();

    const none = await send(port, 'GET /metrics HTTP/1.0\r\n\r\n');
    const two = await send(
      port,
      `GET /metrics HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );

    expect(none).toMatch(/^HTTP\/1\.1 421 /);
    expect(two).not.toContain('up 1');
  });

  it('closes a connection that sends no request', async () => {
    const { port } = await createScene();

    expect(await send(port, 'GET /metrics HTTP/1.1\r\n')).toBe('');
  });

  it('reports read errors in the log only', async () => {
    const { ask, logged } = await createScene({
      text: () => Promise.reject(new Error('/home/anna/secret')),
    });

    expect(await ask()).toMatchObject({ status: 500, body: 'The metrics could not be read.\n' });
    expect(logged).toContainEqual(['error', 'metrics could not be read', { reason: '/home/anna/secret' }]);
  });

  it('rejects when the port is taken', async () => {
    const { port } = await createScene();

    const second = serveMetrics(
      { kind: 'http', host: '127.0.0.1', port },
      { contentType: '', text: async () => '' },
      { log: () => undefined },
    );

    await expect(second).rejects.toThrow('EADDRINUSE');
  });

  it('closes at once, even with open connections', async () => {
    const { port, close, ask } = await createScene();
    const open = send(port, 'GET /metrics HTTP/1.1\r\n');

    await close();

    expect(await open).toBe('');
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });
});
