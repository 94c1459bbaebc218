import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asList, asText, isObject, ownValue } from '../../core/json.js';
import { readJsonFile } from '../../files/json-file.js';
import type { ClaudeHome } from '../claude-home.js';
import { managedFiles } from '../settings/permission-rules.js';
import { readSettings } from '../settings/settings-file.js';

/** Far more than a list of plugins needs. */
const limitBytes = 1024 * 1024;

/**
 * The enabled plugins of the user that may have a language server. Such a server starts by itself and runs code of the
 * folder: compilers, macros, build files. A plugin whose files cannot be read counts.
 */
export async function readLanguagePlugins(claudeHome: ClaudeHome): Promise<string[]> {
  const files = [claudeHome.settingsFile, ...(await managedFiles(claudeHome))];
  const settings = await Promise.all(files.map((file) => readSettings(file)));
  const enabled = settings.flatMap((content) => {
    const plugins = ownValue(content, 'enabledPlugins');
    return isObject(plugins) ? Object.keys(plugins).filter((id) => plugins[id] !== false) : [];
  });
  if (enabled.length === 0) return [];
  const folder = join(claudeHome.configDir, 'plugins');
  const installed = ownValue(
    await readJsonFile(join(folder, 'installed_plugins.json'), { limitBytes }),
    'plugins',
  );
  const markets = await readJsonFile(join(folder, 'known_marketplaces.json'), { limitBytes });
  const ids = [...new Set(enabled)].filter((id) => !id.endsWith('@builtin'));
  const areHarmless = await Promise.all(
    ids.map(async (id) => {
      const [name = '', market = ''] = id.split('@');
      const entry = await entryOf(name, asText(ownValue(markets, market, 'installLocation')), folder);
      const copies = asList(ownValue(installed, id)).map((copy) => asText(ownValue(copy, 'installPath')));
      const found = await Promise.all(copies.map((copy) => hasNoServer(copy, folder)));
      return copies.length > 0 && !found.includes(false) && isObject(entry) && !namesServer(entry);
    }),
  );
  return ids.filter((_id, index) => areHarmless[index] === false);
}

/** What the marketplace says about a plugin. */
async function entryOf(name: string, location: string | undefined, behalf: string): Promise<unknown> {
  if (location === undefined) return undefined;
  const path = location.endsWith('.json') ? location : join(location, '.claude-plugin', 'marketplace.json');
  const plugins = asList(ownValue(await readJsonFile(path, { behalf, limitBytes }), 'plugins'));
  return plugins.find((plugin) => ownValue(plugin, 'name') === name);
}

async function hasNoServer(folder: string | undefined, behalf: string): Promise<boolean> {
  if (folder === undefined || !(await exists(folder)) || (await exists(join(folder, '.lsp.json'))))
    return false;
  const manifest = join(folder, '.claude-plugin', 'plugin.json');
  if (!(await exists(manifest))) return true;
  const content = await readJsonFile(manifest, { behalf, limitBytes });
  return isObject(content) && !namesServer(content);
}

function namesServer(plugin: unknown): boolean {
  return ownValue(plugin, 'lspServers') !== undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
