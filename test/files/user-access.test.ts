import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { guardFiles } from '../../src/files/file-guard.js';
import { entriesIn, someEntriesInSync } from '../../src/files/folder-names.js';
import { openRegularFile, readRegularFile, readRegularFileSync } from '../../src/files/regular-file.js';
import { userGuard } from '../../src/files/user-access.js';
import { canRunAs, giveTo, userOf } from '../kit/system-users.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const limit = 1_000;
const [alice, bob] = [userOf('alice'), userOf('bob')];

const ways = [
  ['at once', (path: string, behalf?: string) => readRegularFile(openRegularFile(path, 0, behalf), limit)],
  ['without yielding', async (path: string) => readRegularFileSync(path, limit)],
] as const;

/** Folders of two users and of the service, below one that everyone can enter. Each contains `secret`. */
function stage() {
  const root = temporaryFolder();
  chmodSync(root, 0o711);
  const make = (name: string, mode: number, owner?: 'alice' | 'bob'): string => {
    const folder = join(root, name);
    mkdirSync(folder);
    write(join(folder, 'secret'), name, 0o600, owner);
    if (owner === undefined) chmodSync(folder, mode);
    else giveTo(owner, folder, mode);
    return folder;
  };
  const write = (path: string, text: string, mode: number, owner?: 'alice' | 'bob'): string => {
    writeFileSync(path, text);
    if (owner === undefined) chmodSync(path, mode);
    else giveTo(owner, path, mode);
    return path;
  };
  const folders = {
    hers: make('hers', 0o700, 'alice'),
    his: make('his', 0o700, 'bob'),
    own: make('own', 0o700),
  };
  guardFiles(
    userGuard(
      [
        { folder: folders.hers, user: alice },
        { folder: folders.his, user: bob },
      ],
      [folders.own],
    ),
  );
  return { ...folders, root, write };
}

describe.skipIf(!canRunAs)('a service that serves several users', () => {
  beforeEach(() => onTestFinished(() => guardFiles(undefined)));

  it.each(ways)('reads the files of each user, and its own, %s', async (_how, read) => {
    const { hers, his, own } = stage();

    expect(await Promise.all([hers, his, own].map((folder) => read(join(folder, 'secret'))))).toEqual([
      'hers',
      'his',
      'own',
    ]);
  });

  it.each(ways)('follows a link of a user to what that user may read, %s', async (_how, read) => {
    const { hers, root, write } = stage();
    symlinkSync(write(join(root, 'public'), 'public', 0o644), join(hers, 'to-public'));
    symlinkSync(join(hers, 'secret'), join(hers, 'to-secret'));
    write(join(hers, 'of-root'), 'given', 0o644);

    expect(await read(join(hers, 'to-public'))).toBe('public');
    expect(await read(join(hers, 'to-secret'))).toBe('hers');
    expect(await read(join(hers, 'of-root'))).toBe('given');
  });

  it.each<[string, (scene: ReturnType<typeof stage>) => string]>([
    ['a link to a file of another user', ({ hers, his }) => linked(join(his, 'secret'), join(hers, 'x'))],
    ['a link to a file of the service', ({ hers, own }) => linked(join(own, 'secret'), join(hers, 'x'))],
    [
      'a link to a file that all may read in a closed folder',
      ({ hers, his, write }) => linked(write(join(his, 'open'), 'his', 0o644, 'bob'), join(hers, 'x')),
    ],
    ['a link above the file', ({ hers, his }) => join(linked(his, join(hers, 'x')), 'secret')],
    [
      'a chain of links',
      ({ hers, his }) => linked(linked(join(his, 'secret'), join(hers, 'x')), join(hers, 'y')),
    ],
    ['a link into /proc', ({ hers }) => linked(`/proc/${process.pid}/environ`, join(hers, 'x'))],
    [
      'a hard link to a file of another user',
      ({ hers, his }) => {
        linkSync(join(his, 'secret'), join(hers, 'x'));
        return join(hers, 'x');
      },
    ],
    ['a file of root in the folder of a user', ({ hers, write }) => write(join(hers, 'x'), 'x', 0o600)],
    [
      'a file of the group of another user',
      ({ hers, write }) => {
        const path = write(join(hers, 'x'), 'x', 0o640);
        chownSync(path, 0, bob.gid);
        return path;
      },
    ],
    ['any other file that only root can read', ({ root, write }) => write(join(root, 'x'), 'x', 0o600)],
    [
      'a pipe',
      ({ hers }) => {
        execFileSync('mkfifo', [join(hers, 'x')]);
        giveTo('alice', join(hers, 'x'), 0o600);
        return join(hers, 'x');
      },
    ],
  ])('does not read %s', async (_what, pathIn) => {
    const path = pathIn(stage());

    for (const [, read] of ways)
      await expect(read(path)).rejects.toThrow(/may not read it|not a regular file/);
  });

  it('reads a path that a file of a user names only if that user may read it', async () => {
    const { hers, his, own } = stage();
    const [[, read]] = ways;

    await expect(read(join(his, 'secret'), join(hers, 'names'))).rejects.toThrow('may not read it');
    await expect(read(join(own, 'secret'), join(hers, 'names'))).rejects.toThrow('may not read it');
    expect(await read(join(hers, 'secret'), join(hers, 'names'))).toBe('hers');
  });

  it('lists the folders of a user, but not those that a link leads to', async () => {
    const { hers, his } = stage();
    const link = linked(his, join(hers, 'x'));

    expect((await entriesIn(hers)).map(({ name }) => name).toSorted()).toEqual(['secret', 'x']);
    expect(someEntriesInSync(his, his, 9)).toMatchObject({ entries: [{ name: 'secret' }], isAll: true });
    await expect(entriesIn(link)).rejects.toThrow('may not read it');
    expect(() => someEntriesInSync(link, link, 9)).toThrow('may not read it');
    expect(() => someEntriesInSync(his, hers, 9)).toThrow('may not read it');
  });
});

function linked(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}
