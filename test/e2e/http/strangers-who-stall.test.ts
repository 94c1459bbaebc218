import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startService } from '../../kit/service.js';

it.each(['/api/pair', '/api/signIn', '/mcp'])(
  'strangers who stall in the middle of a request to %s do not keep others out',
  async (path) => {
    const { sandbox, model } = await startBackstage();
    const service = await startService({ sandbox, model, args: ['--max-connections', '50'] });
    const { host, port } = new URL(service.url);
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (let count = 0; count < 50; count += 1) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      // The service confirms that it has the request.
      const headers = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue'];
      socket.write([`POST ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', '{'].join('\r\n'));
      const [confirmed] = (await once(socket, 'data')) as [Buffer];
      expect(String(confirmed)).toMatch(/^HTTP\/1\.1 100 /);
    }

    const health = await fetch(new URL('/healthz', service.url)).then(({ status }) => status, String);

    expect(health).toBe(200);
  },
);
