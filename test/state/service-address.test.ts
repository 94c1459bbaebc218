import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Servers } from '../../src/state/server-mark.js';
import { ServiceAddress } from '../../src/state/service-address.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const url = 'http://127.0.0.1:8137/mcp';

/** Two services and a bridge in one state folder. A process is alive unless it is in `dead`. */
function startPlace() {
  const folder = temporaryFolder();
  const dead = new Set<number>();
  const startTimeOf = async (pid: number) => (dead.has(pid) ? undefined : `start of ${pid}`);
  const seenBy = (pid: number) => new ServiceAddress(folder, new Servers({ pid, startTimeOf }));
  return {
    path: join(folder, 'service.json'),
    dead,
    service: seenBy(1),
    other: seenBy(2),
    bridge: seenBy(3),
  };
}

it('a bridge finds the service that announced its address', async () => {
  const { service, bridge, path } = startPlace();
  const before = (await bridge.find())?.url;

  await service.announce(url);

  expect([before, (await bridge.find())?.url]).toEqual([undefined, url]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('the address of a service that was killed is ignored', async () => {
  const { service, bridge, dead } = startPlace();
  await service.announce(url);

  dead.add(1);

  expect((await bridge.find())?.url).toBeUndefined();
});

it('the address of a service stays while another one comes and goes', async () => {
  const { service, other, bridge, path } = startPlace();
  await service.announce(url);

  const isSaved = await other.announce('http://127.0.0.1:1/mcp');
  await other.withdraw();
  const left = (await bridge.find())?.url;
  await service.withdraw();

  expect([isSaved, left]).toEqual([false, url]);
  expect(existsSync(path)).toBe(false);
});

it('a service replaces the address of one that was killed', async () => {
  const { service, other, bridge, dead } = startPlace();
  await service.announce(url);
  dead.add(1);

  await other.announce('http://127.0.0.1:1/mcp');

  expect((await bridge.find())?.url).toBe('http://127.0.0.1:1/mcp');
});

it('an address that other users could have written is refused', async () => {
  const { service, bridge, path } = startPlace();
  await service.announce(url);

  chmodSync(path, 0o666);

  await expect(bridge.find()).rejects.toThrow(
    `${path} can be changed by other users, so it may name a service of theirs`,
  );
});
