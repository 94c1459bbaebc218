import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findExecutable } from '../../src/platform/find-executable.js';
import { garbledName, takesAnyName } from '../kit/odd-paths.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

function createFolder(...names: string[]): string {
  const folder = join(temporaryFolder(), ...names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'claude'), '');
  chmodSync(join(folder, 'claude'), 0o755);
  return folder;
}

it.each([
  ['/opt/claude', '/opt/claude'],
  ['~/bin/claude', '/home/u/bin/claude'],
  ['./claude', undefined],
  ['bin/claude', undefined],
  ['claude', undefined],
])('resolves %s to %s', (name, expected) => {
  expect(findExecutable(name, { home: '/home/u', searchPath: undefined })).toBe(expected);
});

it('finds a bare name by absolute entries of the search path, but never among the tools of a project', () => {
  const project = createFolder('node_modules', '.bin');
  const system = createFolder('bin');
  const searchPath = ['.', 'bin', '', project, system].join(delimiter);

  expect(findExecutable('claude', { home: '/home/u', searchPath })).toBe(join(system, 'claude'));
});

it('skips the tools of a project however their path is written, and folders of that name', () => {
  const project = createFolder('node_modules', '.bin');
  const system = createFolder('bin');
  const other = dirname(createFolder('claude', 'x'));
  const searchPath = [`${project}/`, `${project}/../.bin`, dirname(other), system].join(delimiter);

  expect(findExecutable('claude', { home: '/home/u', searchPath })).toBe(join(system, 'claude'));
});

it.skipIf(!takesAnyName)('finds nothing where a link may lead into a folder of a session', () => {
  const [project, system] = [createFolder('project'), createFolder('bin')];
  symlinkSync(garbledName('', 'x'), join(project, 'bin'));
  const bin = garbledName(project, 'x');
  mkdirSync(bin);
  copyFileSync(join(system, 'claude'), Buffer.concat([bin, Buffer.from('/claude')]));
  const searchPath = [join(project, 'bin'), system].join(delimiter);

  expect(findExecutable('claude', { home: '/home/u', searchPath, notIn: [project] })).toBe(
    join(system, 'claude'),
  );
});

it.skipIf(process.platform === 'win32')(
  'finds nothing inside the folders of a session, by real paths',
  () => {
    const [project, system] = [createFolder('project', 'bin'), createFolder('bin')];
    const link = join(system, 'link');
    symlinkSync(project, link);
    const searchPath = [project, link, system].join(delimiter);
    const search = { home: '/home/u', searchPath };

    expect(findExecutable('claude', { ...search, notIn: [dirname(project)] })).toBe(join(system, 'claude'));
    expect(findExecutable('claude', { ...search, notIn: ['/no/such/folder'] })).toBe(join(project, 'claude'));
  },
);

it.skipIf(process.platform === 'win32')(
  'follows links from safe folders, and checks paths that the operator writes out',
  () => {
    const [project, system] = [createFolder('project', 'bin'), createFolder('bin')];
    const [linked, linking] = [join(createFolder('linked'), 'tool'), join(dirname(project), 'tool')];
    symlinkSync(join(project, 'claude'), linked);
    symlinkSync(join(system, 'claude'), linking);
    const find = (name: string, ...folders: string[]): string | undefined =>
      findExecutable(name, {
        home: dirname(project),
        searchPath: folders.join(delimiter),
        notIn: [dirname(project)],
      });

    expect(find('tool', dirname(linked))).toBeUndefined();
    expect(find('tool', dirname(linking))).toBeUndefined();
    expect(find('claude', project, system)).toBe(join(system, 'claude'));
    expect([linked, linking, join(project, 'claude'), '~/bin/claude'].map((path) => find(path))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(find(join(system, 'claude'))).toBe(join(system, 'claude'));
  },
);
