import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guardFiles } from '../../src/files/file-guard.js';
import { readBytes } from '../../src/files/regular-file.js';
import { openSettledFile } from '../../src/files/settled-file.js';
import { userGuard } from '../../src/files/user-access.js';
import { canRunAs, giveTo, userOf } from '../kit/system-users.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

async function textAt(path: string, behalf: string): Promise<string> {
  const handle = await openSettledFile(path, behalf);
  try {
    return (await readBytes(handle, 1_000)).toString();
  } finally {
    await handle.close();
  }
}

describe.skipIf(process.platform === 'win32')('a file whose place is settled', () => {
  it('is opened at its real path', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.txt'), 'text');

    expect(await textAt(join(folder, 'a.txt'), folder)).toBe('text');
  });

  it('is not opened if a link has replaced it, or a folder above it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other', 'a.txt'), 'text');
    symlinkSync(join(folder, 'other', 'a.txt'), join(folder, 'link.txt'));
    symlinkSync(join(folder, 'other'), join(folder, 'linked'));

    await expect(textAt(join(folder, 'link.txt'), folder)).rejects.toThrow('is not a regular file');
    await expect(textAt(join(folder, 'linked', 'a.txt'), folder)).rejects.toThrow('has been replaced');
  });

  it('is not opened if it is a pipe or a device', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);

    await expect(textAt(join(folder, 'pipe'), folder)).rejects.toThrow('is not a regular file');
    await expect(textAt('/dev/zero', folder)).rejects.toThrow('is not a regular file');
  });

  it.skipIf(!canRunAs)('is not opened for a user who may not read it', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o711);
    const hers = join(folder, 'hers');
    mkdirSync(hers);
    for (const name of ['own.txt', 'secret.txt']) writeFileSync(join(hers, name), name);
    chmodSync(join(hers, 'secret.txt'), 0o600);
    giveTo('alice', join(hers, 'own.txt'), 0o600);
    giveTo('alice', hers, 0o700);
    guardFiles(userGuard([{ folder: hers, user: userOf('alice') }], []));
    onTestFinished(() => guardFiles(undefined));

    expect(await textAt(join(hers, 'own.txt'), hers)).toBe('own.txt');
    await expect(textAt(join(hers, 'secret.txt'), hers)).rejects.toThrow('may not read it');
  });
});
