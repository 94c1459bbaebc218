import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { readLanguagePlugins } from '../../../src/history/programs/language-plugins.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const server = { typescript: { command: 'x' } };

/** A user with one plugin, in a marketplace that says `entry` about it. */
function createHome({
  files = {},
  entry = {},
  enabled = { 'ts@nest': true },
}: {
  files?: Readonly<Record<string, unknown>>;
  entry?: object | undefined;
  enabled?: object;
}) {
  const home = temporaryFolder();
  const configDir = join(home, '.claude');
  const [copy, market] = [join(configDir, 'plugins', 'cache', 'ts'), join(home, 'market')];
  const put = (path: string, content: unknown): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  };
  put(join(configDir, 'settings.json'), { enabledPlugins: enabled });
  put(join(configDir, 'plugins', 'installed_plugins.json'), {
    plugins: { 'ts@nest': [{ installPath: copy }] },
  });
  put(join(configDir, 'plugins', 'known_marketplaces.json'), { nest: { installLocation: market } });
  put(join(market, '.claude-plugin', 'marketplace.json'), { plugins: [{ name: 'ts', ...entry }] });
  put(join(copy, 'skills', 'SKILL.md'), '');
  for (const [name, content] of Object.entries(files)) put(join(copy, name), content);
  return resolveClaudeHome({ home });
}

it.each<[what: string, scene: Parameters<typeof createHome>[0]]>([
  ['in a file of its own', { files: { '.lsp.json': server } }],
  ['in its manifest', { files: { '.claude-plugin/plugin.json': { lspServers: server } } }],
  ['in its marketplace', { entry: { lspServers: server } }],
  ['nowhere that can be read', { files: { '.claude-plugin/plugin.json': '{' } }],
  ['nowhere, but its marketplace does not know it', { entry: { name: 'other' } }],
])('a plugin with a language server %s may run code of a folder', async (_what, scene) => {
  expect(await readLanguagePlugins(createHome(scene))).toEqual(['ts@nest']);
});

it.each<[what: string, scene: Parameters<typeof createHome>[0]]>([
  ['has none', {}],
  ['has a manifest without one', { files: { '.claude-plugin/plugin.json': { name: 'ts' } } }],
  ['is disabled', { files: { '.lsp.json': server }, enabled: { 'ts@nest': false } }],
  ['is part of Claude Code', { enabled: { 'agents-md@builtin': true } }],
])('a plugin that %s may not', async (_what, scene) => {
  expect(await readLanguagePlugins(createHome(scene))).toEqual([]);
});

it('a plugin that is not installed may, once it is', async () => {
  expect(await readLanguagePlugins(createHome({ enabled: { 'other@nest': true } }))).toEqual(['other@nest']);
});
