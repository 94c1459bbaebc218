import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  LinkWalk,
  realPath,
  realPathOfNearest,
  unknownPlace,
  withoutDataVolume,
} from '../../src/files/real-path.js';
import { garbledName, plantDeepLink, takesAnyName } from '../kit/odd-paths.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

describe('realPath', () => {
  it('follows links, and returns undefined when nothing exists', async () => {
    const { root, target } = linkedFolder();

    expect(await realPath(join(root, 'link', 'file'))).toBe(join(target, 'file'));
    expect(await realPath(join(root, 'link', 'missing'))).toBeUndefined();
    expect(await realPath('')).toBeUndefined();
  });

  it.skipIf(!takesAnyName)('is undefined for a folder that would be another one by its name', async () => {
    const { root, target } = linkedFolder();
    mkdirSync(garbledName(root, 'sub'));
    symlinkSync(garbledName('', 'sub'), join(root, 'data'));
    symlinkSync(target, join(root, 'sub\ufffd'));

    expect(await realPath(join(root, 'data'))).toBeUndefined();
  });
});

it.each([
  ['/System/Volumes/Data/Users/ann/.ssh', '/Users/ann/.ssh'],
  ['/System/Volumes/Data/Users', '/Users'],
  ['/System/Volumes/Data/private/tmp/a', '/private/tmp/a'],
  ['/System/Volumes/Data/usr/local/bin', '/usr/local/bin'],
  // Only there.
  ['/System/Volumes/Data', '/System/Volumes/Data'],
  ['/System/Volumes/Data/Userspace', '/System/Volumes/Data/Userspace'],
  ['/System/Volumes/Data/usr/bin', '/System/Volumes/Data/usr/bin'],
  ['/a/System/Volumes/Data/Users', '/a/System/Volumes/Data/Users'],
])('%s is known as %s on macOS only', (path, usual) => {
  expect(withoutDataVolume(path, 'darwin')).toBe(usual);
  expect(withoutDataVolume(path, 'linux')).toBe(path);
});

describe('realPathOfNearest', () => {
  it('follows links of a path that exists', () => {
    const { root, target } = linkedFolder();

    expect(realPathOfNearest(join(root, 'link', 'file'))).toBe(join(target, 'file'));
  });

  it('resolves the part that exists and keeps the rest', () => {
    const { root, target } = linkedFolder();

    expect(realPathOfNearest(join(root, 'link', 'new', '*.ts'))).toBe(join(target, 'new', '*.ts'));
    expect(realPathOfNearest(join(root, 'missing', '..', 'link', 'new'))).toBe(join(target, 'new'));
    expect(realPathOfNearest(join(root, 'link', 'file', 'below'))).toBe(join(target, 'file', 'below'));
  });

  it.skipIf(process.platform === 'win32')('keeps what each process resolves differently', () => {
    const { root } = linkedFolder();
    symlinkSync('/proc/self/cwd/package.json', join(root, 'own'));
    symlinkSync('/proc/self/cwd/missing', join(root, 'own-missing'));
    symlinkSync('/proc/self/cwd/../../../../../../srv', join(root, 'up'));
    symlinkSync('own', join(root, 'twice'));

    expect(['own', 'own-missing', 'up', 'twice'].map((name) => realPathOfNearest(join(root, name)))).toEqual([
      '/proc/self/cwd/package.json',
      '/proc/self/cwd/missing',
      '/proc/self/cwd/srv',
      '/proc/self/cwd/package.json',
    ]);
    expect(realPathOfNearest('/proc/thread-self/cwd/a')).toBe('/proc/thread-self/cwd/a');
    expect(realPathOfNearest('/proc')).toBe('/proc');
  });

  it.skipIf(process.platform !== 'linux')(
    'finds the folder of a process behind the plain names beside it',
    () => {
      const { root } = linkedFolder();
      symlinkSync('/proc/net/../root/srv', join(root, 'net'));
      symlinkSync('/proc/sys/../self/root', join(root, 'sys'));

      expect(realPathOfNearest(join(root, 'net'))).toBe('/proc/self/net/root/srv');
      expect(realPathOfNearest(join(root, 'sys'))).toBe('/proc/self/root');
      expect(realPathOfNearest('/proc/cpuinfo')).toBe('/proc/cpuinfo');
    },
  );

  it('follows a link to a file that does not exist yet', () => {
    const { root, target } = linkedFolder();
    symlinkSync(join(target, 'new', 'config.toml'), join(root, 'absolute'));
    symlinkSync(join('link', 'new.json'), join(root, 'relative'));
    symlinkSync('relative', join(root, 'twice'));

    expect(realPathOfNearest(join(root, 'absolute'))).toBe(join(target, 'new', 'config.toml'));
    expect(realPathOfNearest(join(root, 'relative'))).toBe(join(target, 'new.json'));
    expect(realPathOfNearest(join(root, 'twice'))).toBe(join(target, 'new.json'));
    expect(realPathOfNearest(join(root, 'absolute', 'below'))).toBe(
      join(target, 'new', 'config.toml', 'below'),
    );
  });

  it('follows `..` after a link to where the file system would write', () => {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, '.cursor/sub'), { recursive: true });
    symlinkSync('.cursor/sub', join(folder, 'd'));
    symlinkSync('d/../mcp.json', join(folder, 'notes.txt'));

    const target = realPathOfNearest(join(folder, 'notes.txt'));
    writeFileSync(join(folder, 'notes.txt'), 'x');

    expect(target).toBe(realpathSync.native(join(folder, 'notes.txt')));
  });

  it.skipIf(!takesAnyName)('is unknown behind a link to a name that is not UTF-8', () => {
    const { root, target } = linkedFolder();
    symlinkSync(target, garbledName(root, 'sub'));
    symlinkSync(garbledName('', 'sub'), join(root, 'data'));

    expect(realPathOfNearest(join(root, 'data', 'file'))).toBe(unknownPlace);
  });

  it.skipIf(process.platform !== 'linux')('is unknown if the path is too long for the system', () => {
    const { root, target } = linkedFolder();

    expect(realPathOfNearest(join(root, plantDeepLink(root, target)))).toBe(unknownPlace);
    expect(realPathOfNearest(join(root, 'a'.repeat(4_000)))).toBe(join(root, 'a'.repeat(4_000)));
  });

  it('takes no longer for any number of names that do not exist', () => {
    const { root, target } = linkedFolder();
    const names = Array.from({ length: 200_000 }, () => 'a');

    expect(realPathOfNearest([root, 'link', ...names].join('/'))).toBe(join(target, names.join('/')));
  });

  it('terminates on circular links', () => {
    const root = temporaryFolder();
    symlinkSync('second', join(root, 'first'));
    symlinkSync('first', join(root, 'second'));

    expect(relative(root, realPathOfNearest(join(root, 'first', 'x')))).toMatch(/^(first|second)[\\/]x$/);
  });

  it('makes a relative path absolute', () => {
    expect(realPathOfNearest('no-such-file')).toBe(join(realPathOfNearest('.'), 'no-such-file'));
  });
});

function linkedFolder(): { root: string; target: string } {
  const root = temporaryFolder();
  const target = join(root, 'target');
  mkdirSync(target);
  writeFileSync(join(target, 'file'), '');
  symlinkSync(target, join(root, 'link'));
  return { root, target };
}

describe('a walk', () => {
  it.skipIf(process.platform === 'win32')('gives up on links that take too many steps', () => {
    const { root, target } = linkedFolder();
    mkdirSync(join(root, 'a'));
    symlinkSync('a', join(root, 'l0'));
    for (let index = 1; index < 39; index += 1)
      symlinkSync(`${'a/../'.repeat(800)}l${index - 1}`, join(root, `l${index}`));
    const walk = new LinkWalk();

    const before = walk.resolve(join(root, 'link'));
    const long = [38, 37, 36].map((index) => walk.resolve(join(root, `l${index}`))).at(-1);

    expect([before, long, walk.resolve(join(root, 'link')), walk.isExhausted]).toEqual([
      target,
      unknownPlace,
      unknownPlace,
      true,
    ]);
  });

  it('follows as many links as a repository has', () => {
    const { root, target } = linkedFolder();
    const names = Array.from({ length: 2_000 }, (_, index) => join(root, `to-${index}`));
    for (const name of names) symlinkSync('link', name);
    const walk = new LinkWalk();

    expect(new Set(names.map((name) => walk.resolve(name)))).toEqual(new Set([target]));
    expect(walk.isExhausted).toBe(false);
  });
});
