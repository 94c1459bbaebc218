import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { connectServer } from '../../kit/server-client.js';
import { until } from '../../kit/until.js';

it.each([
  ['modern', 'SIGTERM'],
  ['legacy', 'SIGKILL'],
] as const)(
  'connect does not send its token to another program on the port of a service that has ended, in the %s era after %s',
  async (era, signal) => {
    const { sandbox } = await startBackstage();
    const services = (): number[] =>
      sandbox.processes().flatMap(({ pid, command }) => (/ serve /.test(command) ? [pid] : []));
    onTestFinished(async () => {
      for (const pid of services()) process.kill(pid, 'SIGTERM');
      await until('no service runs', () => services().length === 0);
    });
    const client = await connectServer({ sandbox, era, args: ['connect'] });
    onTestFinished(() => client.close());
    const saved = readFileSync(join(sandbox.stateDir, 'service.json'), 'utf8');
    const port = Number(new URL((JSON.parse(saved) as { url: string }).url).port);
    for (const pid of services()) process.kill(pid, signal);
    await until('no service runs', () => services().length === 0);

    // Any user of the machine can do this.
    const received: (string | undefined)[] = [];
    const stranger = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(503).end();
    });
    await until('the port is free', async () => {
      stranger.listen(port, '127.0.0.1');
      return once(stranger, 'listening').then(
        () => true,
        () => false,
      );
    });
    onTestFinished(() => {
      stranger.closeAllConnections();
      stranger.close();
    });
    const answer = await client.call('claude_code_session', { action: 'list' });

    expect(answer.isError).toBe(false);
    expect(received).toEqual([]);
  },
);
