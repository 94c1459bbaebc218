import { join, resolve } from 'node:path';

/** The folder for keys that protect the state folder, so it lies elsewhere: in the user's configuration folder. */
export function keyFolderOf(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const base = environment['XDG_CONFIG_HOME'] || (baseOf[platform] ?? unixBase)(environment, home);
  return resolve(base, 'claude-code-mcp');
}

type Base = (environment: Readonly<Record<string, string | undefined>>, home: string) => string;

const unixBase: Base = (_environment, home) => join(home, '.config');

const baseOf: Readonly<Partial<Record<NodeJS.Platform, Base>>> = {
  win32: ({ APPDATA }, home) => APPDATA || join(home, 'AppData', 'Roaming'),
  darwin: (_environment, home) => join(home, 'Library', 'Application Support'),
};
