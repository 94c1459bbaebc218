import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startService } from '../../kit/service.js';

it.each(['/api/pair', '/mcp'])(
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
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
    }
    const health = await fetch(new URL('/healthz', service.url)).then(({ status }) => status, String);

    expect(health).toBe(200);
  },
);
