import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linksOfPatterns } from '../../../src/session/approval/pattern-links.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function prepare() {
  const root = temporaryFolder();
  mkdirSync(join(root, 'sub', 'deep'), { recursive: true });
  writeFileSync(join(root, 'sub', 'a.txt'), 'a');
  symlinkSync('/srv', join(root, 'link'));
  symlinkSync('/srv', join(root, 'sub', 'deep', 'link'));
  return (pattern: string) =>
    linksOfPatterns([`${root}/${pattern}`])?.map((path) => path.slice(root.length + 1));
}

describe.skipIf(process.platform === 'win32')('the links that a pattern stands for', () => {
  it.each([
    ['l*/a', ['link/a']],
    ['l?nk', ['link']],
    ['[kl]ink/x/y', ['link/x/y']],
    ['*/*/*/a', ['link/*/*/a', 'sub/deep/link/a']],
    ['s*/deep/l*', ['sub/deep/link']],
    ['sub/../l*', ['sub/../link']],
    ['sub/*', []],
    ['s*/deep/link/a', ['sub/deep/link/a']],
    ['s*/./deep/link/x*', ['sub/deep/link/x*']],
    ['s*/deep/../deep/link', ['sub/deep/../deep/link']],
    ['s*/missing/link/a', []],
    ['*.txt', []],
    ['missing/*', []],
    ['link/a', []],
  ])('are found with the rest of the path: %s', (pattern, links) => {
    expect(prepare()(pattern)?.toSorted()).toEqual(links);
  });

  it.skipIf(process.platform !== 'linux')('include those of a process', () => {
    expect(linksOfPatterns(['/pro?/self/root/srv'])).toEqual(['/proc/self/root/srv']);
  });

  it('are unknown if it stands for too many folders', () => {
    const root = temporaryFolder();
    for (let count = 0; count < 60; count += 1)
      for (let below = 0; below < 60; below += 1)
        mkdirSync(join(root, `${count}`, `${below}`), { recursive: true });

    expect(linksOfPatterns([`${root}/*/*/a`])).toEqual([]);
    expect(linksOfPatterns([`${root}/*/*/*`])).toBeUndefined();
  });

  it('are unknown if many of them have many names behind them', () => {
    const root = temporaryFolder();
    for (let count = 0; count < 1_000; count += 1) symlinkSync('/srv', join(root, `l${count}`));

    expect(linksOfPatterns([`${root}/l*/a`])).toHaveLength(1_000);
    expect(linksOfPatterns([`${root}/l*/${'a/'.repeat(2_000)}`])).toBeUndefined();
  });
});
