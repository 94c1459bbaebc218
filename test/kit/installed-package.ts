/** The package as a user gets it. Nothing here needs a network. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRegistry } from './npm-registry.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the build into this folder. Returns the path of the archive. */
export function packPackage(folder: string): string {
  const [packed] = JSON.parse(npm(folder, 'pack', repository, '--json', '--ignore-scripts')) as [
    { filename: string },
  ];
  return join(folder, packed.filename);
}

/** The environment in which npx installs the packed build from a registry. */
export async function startPublished(
  folder: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Record<string, string>> {
  mkdirSync(folder);
  const registry = await startRegistry(packPackage(folder), join(repository, 'package.json'));
  atEnd(() => registry.close());
  return {
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  };
}

/** Installs the packed build below `root` without its optional dependencies. Returns the installation folder. */
export function installPackage(root: string): string {
  const folder = join(root, 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const archive = packPackage(folder);
  npm(folder, 'install', archive, '--omit=optional', '--offline', '--no-audit', '--no-fund');
  return folder;
}

function npm(folder: string, ...args: readonly string[]): string {
  return execFileSync('npm', [...args, `--cache=${join(folder, '.npm-cache')}`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
