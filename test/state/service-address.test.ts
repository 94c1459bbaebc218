import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Servers } from '../../src/state/server-mark.js';
import { ServiceAddress } from '../../src/state/service-address.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const address = { url: 'https://127.0.0.1:8137/mcp', key: 'a key' };
const another = { url: 'https://127.0.0.1:1/mcp', key: 'another key' };

/** Two services and a bridge in one state folder. A process is alive unless it is in `dead`. */
const url = 'http://127.0.0.1:8137/mcp';

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
  const before = (await bridge.find())?.address;

  await service.announce(url, address);

  expect([before, (await bridge.find())?.address]).toEqual([undefined, address]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('a bridge finds the restrictions of the service', async () => {
  const { service, bridge } = startPlace();
  const restrictions = { approvals: '"human"', roots: '["/work"]' };

  await service.announce(url, address, restrictions);

  expect((await bridge.find())?.restrictions).toEqual(restrictions);
});

it('the address of a service that was killed is ignored', async () => {
  const { service, bridge, dead } = startPlace();
  await service.announce(url, address);

  dead.add(1);

  expect((await bridge.find())?.url).toBeUndefined();
});

it('the address of a service stays while another one comes and goes', async () => {
  const { service, other, bridge, path } = startPlace();
  await service.announce(url, address);

  const isSaved = await other.announce(url, another);
  await other.withdraw();
  const left = (await bridge.find())?.address;
  await service.withdraw();

  expect([isSaved, left]).toEqual([false, address]);
  expect(existsSync(path)).toBe(false);
});

it('a service replaces the address of one that was killed', async () => {
  const { service, other, bridge, dead } = startPlace();
  await service.announce(url, address);
  dead.add(1);

  await other.announce(url, another);

  expect((await bridge.find())?.address).toEqual(another);
});

it('an address that other users could have written is refused', async () => {
  const { service, bridge, path } = startPlace();
  await service.announce(url, address);

  chmodSync(path, 0o666);

  await expect(bridge.find()).rejects.toThrow(
    `${path} can be changed by other users, so it may name a service of theirs`,
  );
});

it('an address without a key is ignored, and replaced', async () => {
  const { service, other, bridge, path } = startPlace();
  await service.announce(url, address);
  const { key: _key, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  writeFileSync(path, JSON.stringify(rest));

  const before = await bridge.find();
  await other.announce(url, another);

  expect([before, (await bridge.find())?.address]).toEqual([undefined, another]);
});
