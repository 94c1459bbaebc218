import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { packageLaunch } from '../../src/console/clients/launch.js';
import { installLinks } from '../../src/console/clients/links.js';
import { pages, withoutBlocks } from './pages.js';

/** Links to files of this repository, from a page. */
function linksOf({
  path,
  text,
}: (typeof pages)[number]): readonly { from: string; file: string; anchor: string }[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`]*`/g, '');
  const targets = [
    ...prose.matchAll(/\]\(([^)\s]+)\)/g),
    ...prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^(\w+:|\/\/)/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { from: path, file: file === '' ? path : posix.join(posix.dirname(path), file), anchor };
    });
}

function anchorsOf(file: string): ReadonlySet<string> {
  const headings = withoutBlocks(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it('links lead to files and headings that exist', () => {
  const links = pages.flatMap(linksOf);

  const broken = links.filter(
    ({ file, anchor }) =>
      !existsSync(file) || (anchor !== '' && statSync(file).isFile() && !anchorsOf(file).has(anchor)),
  );
  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(150);
});

it('the list of decisions contains each of them, under its own number', () => {
  const files = readdirSync('docs/adr').filter((name) => name !== 'README.md');
  const rows = readFileSync('docs/adr/README.md', 'utf8').matchAll(/^- \[(\d{4})\]\(([^)]+)\)/gm);

  const listed = new Map([...rows].map(([, number = '', file = '']) => [number, file]));
  expect([...listed.values()].toSorted()).toEqual(files.toSorted());
  expect([...listed].filter(([number, file]) => !file.startsWith(`${number}-`))).toEqual([]);
});

it.each(['cursor', 'vscode'] as const)('the README links to the installation in %s', (id) => {
  expect(readFileSync('README.md', 'utf8')).toContain(installLinks[id](packageLaunch('linux')).web);
});
