import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { configureUsers, rootOf, userFolder } from '../../kit/run-as.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { startService } from '../../kit/service.js';
import { canRunAs, uids, type Principal } from '../../kit/system-users.js';

type Entries = Partial<Record<Principal, object>>;

describe.skipIf(!canRunAs)('a service whose principals have users', () => {
  it('needs no consent, and prepares folders that only these users can read', async () => {
    const { sandbox } = await startBackstage();

    const service = await startService({ sandbox, args: configureUsers(sandbox) });

    const factsOf = (path: string) => {
      const { uid, gid, mode } = statSync(path);
      return { uid, gid, mode: mode & 0o777 };
    };
    const { alice } = uids;
    const own = (name: string): string => userFolder(sandbox, 'alice', name);
    expect(['home', 'claude', 'tmp'].map((name) => factsOf(own(name)))).toEqual(
      Array.from({ length: 3 }, () => ({ uid: alice, gid: alice, mode: 0o700 })),
    );
    expect([own('launches'), own('.'), own('..')].map(factsOf)).toEqual(
      Array.from({ length: 3 }, () => ({ uid: 0, gid: 0, mode: 0o711 })),
    );
    expect(factsOf(sandbox.stateDir)).toEqual({ uid: 0, gid: 0, mode: 0o700 });
    expect(service.stderr()).not.toMatch(/separated at the API|as the user of the service/);
  });

  it.each<[string, Entries, (sandbox: Sandbox) => void, RegExp]>([
    [
      'a folder of another principal is open',
      {},
      (sandbox) => chmodSync(rootOf(sandbox, 'bob'), 0o755),
      /runAs: uid 23700, gid 23700 can reach .*\/bob, which belongs to the service or to another principal\. Let no other user reach it, for example: chmod go-rwx '.*\/bob'/,
    ],
    [
      'the state folder can be entered',
      {},
      ({ stateDir }) => chmodSync(stateDir, 0o711),
      /can reach .*\/state, which belongs to the service/,
    ],
    [
      'the folders of the users cannot be entered',
      {},
      ({ root }) => chmodSync(root, 0o700),
      /cannot use .*\/home\. Choose a state folder whose parent folders every user can enter, such as --state-dir \/var\/lib/,
    ],
    [
      'a user cannot enter its own folder',
      {},
      (sandbox) => chownSync(rootOf(sandbox, 'alice'), uids.bob, uids.bob),
      /principals\.alice\.runAs: uid 23701, gid 23701 cannot use .*\/alice\. Let this user reach it, for example: chown 23701:23701/,
    ],
    [
      'a folder belongs to the user of an earlier setting',
      { alice: { runAs: '23799:23799' } },
      (sandbox) => {
        mkdirSync(userFolder(sandbox, 'alice', 'home'), { recursive: true });
        chmodSync(userFolder(sandbox, 'alice', '..'), 0o755);
      },
      /alice\/home: must be a folder of the user with uid 23799, but belongs to uid 0\. If runAs has changed, move the folder away\./,
    ],
    [
      'two principals share a user',
      { bob: { runAs: '23701:5' } },
      () => undefined,
      /principals\.bob\.runAs=23701:5: alice runs as the same user \(uid 23701\)/,
    ],
    [
      'a user is root',
      { bob: { runAs: 'root' } },
      () => undefined,
      /principals\.bob\.runAs=root: this is the user of the service/,
    ],
    [
      'only some have a user, without consent',
      { owner: { runAs: undefined } },
      () => undefined,
      /Not every principal has runAs: sessions of owner would run as the user of the service.*--accept-shared-uid\. Otherwise set runAs for every principal/,
    ],
  ])('does not start if %s', async (_problem, entries, spoil, message) => {
    const { sandbox } = await startBackstage();
    const args = configureUsers(sandbox, entries);
    spoil(sandbox);

    await expect(startService({ sandbox, args })).rejects.toThrow(message);
  });

  it('says which sessions can read everything, if only some have a user', async () => {
    const { sandbox } = await startBackstage();
    const args = configureUsers(sandbox, { owner: { runAs: undefined } });

    const service = await startService({ sandbox, args: [...args, '--accept-shared-uid'] });

    expect(service.stderr()).toContain(
      'Sessions of owner run as the user of the service, and can read the files of all 3 principals.',
    );
  });

  it('does not start if a user owns the key of another principal', async () => {
    const { sandbox } = await startBackstage();
    const apiKeyFile = join(sandbox.root, 'bob.key');
    writeFileSync(apiKeyFile, 'sk-of-bob', { mode: 0o600 });
    chownSync(apiKeyFile, uids.alice, uids.alice);
    const args = configureUsers(sandbox, { bob: { apiKeyFile } });

    const started = startService({ sandbox, args });

    await expect(started).rejects.toThrow(/principals\.alice\.runAs: .* can reach .*\/bob\.key/);
  });
});
