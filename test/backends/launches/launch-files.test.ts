import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { LaunchFiles, serverPidOf } from '../../../src/backends/launches/launch-files.js';
import { canRunAs, userOf } from '../../kit/system-users.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

it.skipIf(process.platform === 'win32')('makes the files of a launch readable by their owner only', () => {
  const path = join(temporaryFolder(), 'launches');
  const files = new LaunchFiles(path);

  const file = files.write('mcp.json', 'secret');

  expect(readFileSync(file, 'utf8')).toBe('secret');
  expect([path, dirname(file), file].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  files.remove();
  expect(readdirSync(path)).toEqual([]);
});

it.skipIf(!canRunAs)('gives another user the files of a launch, but not their folder', () => {
  const files = new LaunchFiles(temporaryFolder(), userOf('alice'));

  const file = files.write('mcp.json', 'secret');

  const factsOf = (path: string) => {
    const { uid, gid, mode } = statSync(path);
    return { uid, gid, mode: mode & 0o777 };
  };
  expect(factsOf(file)).toEqual({ ...userOf('alice'), mode: 0o600 });
  expect(factsOf(dirname(file))).toEqual({ uid: 0, gid: 0, mode: 0o711 });
});

it.skipIf(!canRunAs)(
  'lets another user enter a folder of a launch, but put nothing there that the server would have to remove',
  () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o711);
    const files = new LaunchFiles(parent, userOf('alice'));

    const folder = files.createFolder('parking');

    const asAlice = (script: string): number | null =>
      spawnSync('/bin/sh', ['-c', script], { cwd: folder, ...userOf('alice') }).status;
    expect(asAlice('ls && cd .')).toBe(0);
    expect(['mkdir sub', 'ln -s / sub', 'touch sub', 'chmod 777 .'].map(asAlice)).not.toContain(0);
    files.remove();
    expect(readdirSync(parent)).toEqual([]);
  },
);

it('replaces a file although an earlier attempt was left behind, as a full disk does', () => {
  const path = temporaryFolder();
  const files = new LaunchFiles(path);
  files.write('launch.json.tmp', '{"mark');

  files.replace('launch.json', '{}');

  const [name = ''] = readdirSync(path);
  expect(readdirSync(join(path, name))).toEqual(['launch.json']);
});

it('names the folder of a launch after the server', () => {
  const path = temporaryFolder();
  new LaunchFiles(path).replace('launch.json', '{}');

  const [name = ''] = readdirSync(path);

  expect(serverPidOf(name)).toBe(process.pid);
  expect(readdirSync(join(path, name))).toEqual(['launch.json']);
  expect(['notes', '42', '42.abcdef.bak', '0.abcdef', '-1.abcdef'].map(serverPidOf)).toEqual(
    Array.from({ length: 5 }),
  );
});
