import { describe, expect, it } from 'vitest';
import { tenantUsers } from '../../src/app/service/tenant-users.js';
import { ConfigError } from '../../src/config/config-error.js';
import { checkPrincipals } from '../../src/config/principals.js';
import { findUser } from '../../src/platform/user-database.js';

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  'alice:x:1001:2001:Alice:/home/alice:/bin/bash',
  'staff:x:1003:0::/:/usr/sbin/nologin',
  '',
].join('\n');

function usersOf(
  users: Readonly<Record<string, string>>,
  system: { platform?: NodeJS.Platform; uid?: number } = {},
) {
  const entries = Object.entries(users).map(([name, runAs]) => [name, { runAs }]);
  return tenantUsers(checkPrincipals('/c.json', Object.fromEntries(entries)), {
    platform: 'linux',
    uid: 0,
    gid: 0,
    find: (text) => findUser(text, passwd),
    ...system,
  });
}

describe('the user of a principal', () => {
  it('is a name, a number with an entry, or a number with a group', () => {
    const users = usersOf({ owner: 'alice', bob: '1002:2002' });

    expect(Object.fromEntries(users)).toEqual({
      owner: { name: 'alice', uid: 1001, gid: 2001 },
      bob: { name: undefined, uid: 1002, gid: 2002 },
    });
    expect(usersOf({ alice: '1001' }).get('alice')).toEqual({ name: 'alice', uid: 1001, gid: 2001 });
    expect(usersOf({ alice: '1001:7' }).get('alice')).toEqual({ name: 'alice', uid: 1001, gid: 7 });
  });

  it('is optional, on every system and for every user of the service', () => {
    const principals = checkPrincipals('/c.json', { alice: { roots: ['/a'] } });

    expect(tenantUsers(principals, { platform: 'darwin', uid: 501, gid: 20, find: findUser }).size).toBe(0);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['root', { a: 'root' }, 'principals.a.runAs=root: this is the user of the service'],
    ['uid 0', { a: '0:5' }, 'principals.a.runAs=0:5: this is the user of the service'],
    ['the group of root', { a: '1002:0' }, 'principals.a.runAs=1002:0: its group (gid 0) is the group of'],
    [
      'a user in the group of root',
      { a: 'staff' },
      'principals.a.runAs=staff: its group (gid 0) is the group of',
    ],
    [
      'an unknown name',
      { a: 'carol' },
      'principals.a.runAs=carol: /etc/passwd has no such user. Create the user',
    ],
    [
      'an unknown number',
      { a: '77' },
      'principals.a.runAs=77: /etc/passwd has no user with this number. Add the group, such as "77:77"',
    ],
    [
      'the user of another',
      { a: 'alice', b: '1001:9' },
      'principals.b.runAs=1001:9: a runs as the same user (uid 1001). Give each principal a user of its own.',
    ],
  ])('cannot be %s', (_who, users, message) => {
    const planned = (): unknown => usersOf(users);

    expect(planned).toThrow(ConfigError);
    expect(planned).toThrow(`/c.json: ${message}`);
  });

  it('needs a service of root: a capability would be inherited', () => {
    expect(() => usersOf({ a: 'alice' }, { uid: 1000 })).toThrow(
      'only root can start sessions as another user. Start the service as root, or remove runAs',
    );
  });

  it('needs Linux', () => {
    expect(() => usersOf({ a: 'alice' }, { platform: 'darwin' })).toThrow(
      'sessions can run as another user only on Linux. Remove runAs',
    );
  });

  it.each(['', ' ', '-1', '1:', ':1', '1:2:3', '2147483648', '1:4294967295', 'a b', '../x', '0x10', '1e3'])(
    'cannot be written as %j',
    (runAs) => {
      expect(() => checkPrincipals('/c.json', { a: { runAs } })).toThrow(
        /^\/c\.json: principals\.a\.runAs=".*": must be a user, such as alice, 1001 or 1001:1001 \(uid:gid\), in quotes$/,
      );
    },
  );
});
