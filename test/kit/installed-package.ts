/** The package as a user installs it without its optional dependencies. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the build and installs it below `root`, without a network. Returns the installation folder. */
export function installPackage(root: string): string {
  const folder = join(root, 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', [...args, `--cache=${join(root, 'npm-cache')}`], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const [packed] = JSON.parse(npm('pack', repository, '--json', '--ignore-scripts')) as [
    { filename: string },
  ];
  npm('install', `./${packed.filename}`, '--omit=optional', '--offline', '--no-audit', '--no-fund');
  return folder;
}
