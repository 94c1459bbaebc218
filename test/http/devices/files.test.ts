import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeDevices } from '../../../src/app/page/compose-devices.js';
import { CredentialFileError } from '../../../src/http/auth/credential-file.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function scene() {
  const [stateDir, clock] = [temporaryFolder(), new FakeClock(1_000)];
  return { ...composeDevices(stateDir, clock), others: composeDevices(stateDir, clock), clock };
}

describe('the files of the page', () => {
  it('contain hashes only, and only their owner can read them', async () => {
    const { devices, codes, password, folder } = scene();

    const code = await codes.create({ principal: 'owner', now: 1_000 });
    const { secrets } = await devices.add({ name: 'Phone', principal: 'owner', now: 1_000 });
    await password.set('correct horse battery');

    const paths = readdirSync(folder).map((name) => join(folder, name));
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      for (const secret of [code, secrets.cookie, secrets.key, 'correct horse battery'])
        expect(readFileSync(path, 'utf8')).not.toContain(secret);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('keep every device when several servers pair at the same time', async () => {
    const { devices, others } = scene();

    await Promise.all(
      [devices, others.devices, devices, others.devices].map((file) =>
        file.add({ name: 'Phone', principal: 'owner', now: 1_000 }),
      ),
    );

    expect((await devices.list(1_000)).map(({ name }) => name)).toEqual([
      'Phone',
      'Phone 2',
      'Phone 3',
      'Phone 4',
    ]);
  });

  it.each([
    ['is damaged', (path: string) => writeFileSync(path, '{'), /is damaged, so no device is accepted/],
    ['can be changed by others', (path: string) => chmodSync(path, 0o666), /chmod 600/],
  ])('accept no device if one %s', async (_how, spoil, message) => {
    const { devices, folder } = scene();
    const { secrets } = await devices.add({ name: 'Phone', principal: 'owner', now: 1_000 });
    spoil(join(folder, 'devices.json'));

    await expect(devices.find({ cookies: [secrets.cookie], key: secrets.key }, 1_000)).rejects.toThrow(
      CredentialFileError,
    );
    await expect(devices.find({ cookies: [secrets.cookie], key: secrets.key }, 1_000)).rejects.toThrow(
      message,
    );
  });

  it('forget devices of servers that have ended', async () => {
    const { devices, servers } = scene();
    await devices.add({ name: 'Now', principal: 'owner', now: 1_000, server: await servers.own() });
    await devices.add({ name: 'Then', principal: 'owner', now: 1_000, server: '1.gone' });

    expect((await devices.list(1_000)).map(({ name }) => name)).toEqual(['Now']);
  });

  it.each([
    ['', 'Browser'],
    ['  Chrome \n on Linux ', 'Chrome  ⏎  on Linux'],
    ['a\u202eb', 'a\\u{202e}b'],
  ])('name a device in one visible line: %j', async (name, saved) => {
    const { device } = await scene().devices.add({ name, principal: 'owner', now: 1_000 });

    expect(device.name).toBe(saved);
  });
});

describe('a password', () => {
  it('is the same in every encoding of its characters', async () => {
    const { password } = scene();
    await password.set('caf\u00e9 au lait noir');

    expect(await password.matches('cafe\u0301 au lait noir')).toBe(true);
    expect(await password.matches('cafe au lait noir')).toBe(false);
  });
});

describe('the addresses of running pages', () => {
  it('are those of servers that are alive, the newest first', async () => {
    const { addresses, others, folder } = scene();
    const page = { kind: 'service', cwd: '/work' } as const;
    await addresses.announce({ ...page, origin: 'http://127.0.0.1:1', startedAt: 1 });
    const [own = ''] = readdirSync(join(folder, 'running'));
    writeFileSync(join(folder, 'running', '1.gone.json'), readFileSync(join(folder, 'running', own)), {
      mode: 0o600,
    });

    const found = await others.addresses.find();
    await addresses.withdraw();

    expect(found).toEqual([{ ...page, origin: 'http://127.0.0.1:1', startedAt: 1 }]);
    expect(readdirSync(join(folder, 'running'))).toEqual([]);
  });
});
