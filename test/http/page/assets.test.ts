import { describe, expect, it } from 'vitest';
import { pageFiles, pageScene } from '../../kit/page-scene.js';

describe('the files of the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'index.html', 'no-store'],
    ['/assets/page.js', 'text/javascript; charset=utf-8', 'page.js', 'no-cache'],
    ['/assets/style.css', 'text/css; charset=utf-8', 'style.css', 'no-cache'],
    ['/assets/icon.svg', 'image/svg+xml', 'icon.svg', 'no-cache'],
  ] as const)('%s is sent as %s', async (path, type, file, cache) => {
    const answer = await pageScene().fetch(path);

    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      type,
      cache,
    ]);
    expect(await answer.text()).toBe(pageFiles[file].toString());
  });

  it('are not sent again while they are unchanged', async () => {
    const { fetch } = pageScene();
    const etag = (await fetch('/assets/page.js')).headers.get('etag') ?? '';

    const same = await fetch('/assets/page.js', { headers: { 'if-none-match': etag } });
    const other = await fetch('/assets/page.js', { headers: { 'if-none-match': '"other"' } });

    expect([same.status, await same.text(), other.status]).toEqual([304, '', 200]);
  });

  it.each([
    '/assets/',
    '/assets/index.html',
    '/assets/../index.html',
    '/assets/%2e%2e/devices.json',
    '/assets/..%2fdevices.json',
    '/assets//etc/passwd',
    '/assets/page.js/',
    '/index.html',
    '/api',
    '/api/',
    '/api/a/b',
    '/api/stream/',
    '/constructor',
  ])('%s is not found', async (path) => {
    expect((await pageScene().fetch(path)).status).toBe(404);
  });

  it.each([
    ['PUT', '/', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/assets/page.js', 'GET, HEAD'],
    ['GET', '/api/me', 'POST'],
    ['HEAD', '/api/me', 'POST'],
    ['PUT', '/api/me', 'POST'],
    ['POST', '/api/stream', 'GET'],
    ['OPTIONS', '/api/me', 'POST'],
  ])('%s %s is refused', async (method, path, allowed) => {
    const answer = await pageScene().fetch(path, { method });

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  });

  it('can be asked about with HEAD', async () => {
    const answer = await pageScene().fetch('/', { method: 'HEAD' });

    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('every answer of the page', () => {
  it.each(['/', '/assets/page.js', '/api/me', '/api/stream'])(
    '%s forbids what it does not need',
    async (path) => {
      const answer = await pageScene().fetch(path);

      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
    },
  );
});

describe('a link on another site', () => {
  it('opens the page, which contains no data', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };

    expect((await pageScene().fetch('/', { headers })).status).toBe(200);
  });
});
