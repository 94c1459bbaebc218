import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NotEditableError, readEditable, replaceEditable } from '../../src/files/edited-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const onPosix = it.skipIf(process.platform === 'win32');

async function problemOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { done: await work };
  } catch (error) {
    return error instanceof NotEditableError ? error.problem : error;
  }
}

onPosix('a file is editable if it is one writable file of this user', async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  for (const name of ['file', 'read-only', 'twice', 'locked'])
    writeFileSync(at(name), 'text', { mode: 0o640 });
  chmodSync(at('read-only'), 0o440);
  linkSync(at('twice'), at('again'));
  symlinkSync('file', at('link'));
  writeFileSync(at('binary'), Buffer.from([0xff, 0xfe, 0x41]));
  mkdirSync(at('folder'));

  expect({
    file: await problemOf(readEditable(at('file'))),
    missing: await problemOf(readEditable(at('new/deep/file'))),
    readOnly: await problemOf(readEditable(at('read-only'))),
    twice: await problemOf(readEditable(at('twice'))),
    link: await problemOf(readEditable(at('link'))),
    binary: await problemOf(readEditable(at('binary'))),
    folder: await problemOf(readEditable(at('folder'))),
    insideFile: await problemOf(readEditable(at('file/inside'))),
  }).toEqual({
    file: { done: { text: 'text', mode: 0o640 } },
    missing: { done: undefined },
    readOnly: 'read-only',
    twice: 'several-names',
    link: 'symbolic-link',
    binary: 'not-text',
    folder: 'wrong-kind',
    insideFile: expect.objectContaining({ code: 'ENOTDIR' }),
  });
});

it.skipIf(process.getuid?.() !== 0)('a file of another user is not editable, even for root', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'text');
  chownSync(path, 12_345, 12_345);

  expect(await problemOf(readEditable(path))).toBe('other-owner');
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a file in a folder that cannot be written is not editable',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'text');
    chmodSync(folder, 0o500);

    expect(await problemOf(readEditable(join(folder, 'file')))).toBe('folder-read-only');
  },
);

onPosix('a change keeps the mode, and the previous text in a backup', async () => {
  const folder = temporaryFolder();
  const [path, backup] = [join(folder, 'file'), join(folder, 'backup')];
  writeFileSync(path, '\uFEFFold');
  chmodSync(path, 0o664);

  await replaceEditable(path, { before: '\uFEFFold', after: '\uFEFFnew', backup });

  expect({
    text: readFileSync(path, 'utf8'),
    backup: readFileSync(backup, 'utf8'),
    modes: [path, backup].map((name) => lstatSync(name).mode & 0o777),
    names: readdirSync(folder),
  }).toEqual({ text: '\uFEFFnew', backup: '\uFEFFold', modes: [0o664, 0o664], names: ['backup', 'file'] });
});

it('a new file gets its folders, and no backup', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a', 'b', 'file');

  await replaceEditable(path, { before: undefined, after: 'new', backup: join(folder, 'backup') });

  expect({ text: readFileSync(path, 'utf8'), names: readdirSync(folder) }).toEqual({
    text: 'new',
    names: ['a'],
  });
});

it('a file that another program has changed meanwhile stays as it is', async () => {
  const folder = temporaryFolder();
  const [path, backup] = [join(folder, 'file'), join(folder, 'backup')];
  writeFileSync(path, 'theirs');

  const problem = await problemOf(replaceEditable(path, { before: 'old', after: 'new', backup }));

  expect({ problem, text: readFileSync(path, 'utf8'), names: readdirSync(folder) }).toEqual({
    problem: 'changed-meanwhile',
    text: 'theirs',
    names: ['file'],
  });
});
