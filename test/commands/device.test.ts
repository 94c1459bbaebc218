import { describe, expect, it } from 'vitest';
import { composeDevices } from '../../src/app/page/compose-devices.js';
import { deviceCommands } from '../../src/commands/device.js';
import { ConfigError } from '../../src/config/config-error.js';
import { FakeClock } from '../kit/fake-clock.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const bare = { operand: undefined, own: {}, json: false };

function scene(typed = '') {
  const clock = new FakeClock();
  const all = composeDevices(temporaryFolder(), clock);
  const settings = {
    ...all,
    lastUses: () => all.uses.read(),
    readPassword: async () => typed,
    now: clock.now(),
  };
  const add = (name: string) =>
    all.devices.add({ name, principal: 'owner', now: clock.now() }).then(({ device }) => device);
  const run = (command: keyof typeof deviceCommands, args: Partial<typeof bare> & { own?: object } = {}) =>
    deviceCommands[command]({ ...bare, ...args }, settings);
  return { ...all, clock, add, run };
}

describe('device list', () => {
  it('shows every browser with its principal and dates', async () => {
    const { add, run, uses, clock } = scene();
    const { deviceId } = await add('Chrome on Linux');
    clock.advance(60_000);
    uses.note(deviceId);

    expect(await run('device list')).toBe(
      [
        'NAME             PRINCIPAL  SIGNED IN             EXPIRES               LAST USED',
        'Chrome on Linux  owner      2026-01-01T00:00:00Z  2026-06-30T00:00:00Z  2026-01-01T00:01:00Z',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(await run('device list', { json: true }))).toEqual([
      {
        name: 'Chrome on Linux',
        principal: 'owner',
        createdAt: '2026-01-01T00:00:00Z',
        expiresAt: '2026-06-30T00:00:00Z',
        lastUsedAt: '2026-01-01T00:01:00Z',
        deviceId,
      },
    ]);
  });

  it('says how to pair the first one', async () => {
    expect(await scene().run('device list')).toBe(
      'No browser is signed in to the page. To sign one in: claude-code-mcp open\n',
    );
  });
});

describe('device revoke', () => {
  it.each(['name', 'deviceId'] as const)('takes the %s of a device', async (key) => {
    const { add, run, devices, clock } = scene();
    const device = await add('Phone');
    await add('Laptop');

    await run('device revoke', { operand: device[key] as never });

    expect((await devices.list(clock.now())).map(({ name }) => name)).toEqual(['Laptop']);
  });

  it('says how to find the name', async () => {
    await expect(scene().run('device revoke', { operand: 'x' as never })).rejects.toThrow(
      new ConfigError('there is no device named x. List the names with: claude-code-mcp device list'),
    );
  });
});

describe('device password', () => {
  it('sets and removes the password', async () => {
    const { run, password } = scene('correct horse battery');

    const set = await run('device password');
    const matches = await password.matches('correct horse battery');
    const removed = await run('device password', { own: { remove: '1' } });

    expect([set, matches, removed]).toEqual([
      'Saved the password. You can now sign in with it on the page.\n',
      true,
      'Removed the password. Browsers stay signed in.\n',
    ]);
    expect(await password.isSet()).toBe(false);
  });

  it('refuses a short one', async () => {
    const { run, password } = scene('short');

    await expect(run('device password')).rejects.toThrow('must have 12 to 1000 characters');
    expect(await password.isSet()).toBe(false);
  });
});
