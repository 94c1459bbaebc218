import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

/** A plugin of the user with a language server, as Claude Code installs it. */
function installLanguageServer({ sandbox }: Scene): () => boolean {
  const { root, configDir } = sandbox;
  const put = (path: string, content: string | object): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
    return path;
  };
  const trace = join(root, 'language-server-started');
  const command = put(join(root, 'opt', 'lsp.sh'), `#!/bin/sh\ntouch ${trace}\n`);
  const [market, plugins] = [join(root, 'market'), join(configDir, 'plugins')];
  const copy = join(plugins, 'cache', 'nest', 'ts', '1.0.0');
  put(join(market, '.claude-plugin', 'marketplace.json'), {
    name: 'nest',
    owner: { name: 'me' },
    plugins: [{ name: 'ts', source: './ts', description: 'TypeScript', version: '1.0.0' }],
  });
  for (const folder of [join(market, 'ts'), copy]) {
    put(join(folder, '.claude-plugin', 'plugin.json'), { name: 'ts', version: '1.0.0' });
    put(join(folder, '.lsp.json'), {
      typescript: { command, args: ['--stdio'], extensionToLanguage: { '.ts': 'typescript' } },
    });
  }
  const at = new Date(0).toISOString();
  const source = { source: 'directory', path: market };
  put(join(plugins, 'installed_plugins.json'), {
    version: 2,
    plugins: {
      'ts@nest': [{ scope: 'user', installPath: copy, version: '1.0.0', installedAt: at, lastUpdated: at }],
    },
  });
  put(join(plugins, 'known_marketplaces.json'), {
    nest: { source, installLocation: market, lastUpdated: at },
  });
  put(join(configDir, 'settings.json'), {
    extraKnownMarketplaces: { nest: { source } },
    enabledPlugins: { 'ts@nest': true },
  });
  return () => existsSync(trace);
}

it('a language server of the user does not start in a folder, until the user has trusted it', async () => {
  const scene = await startScene({ era: 'modern' });
  const { server, model, sandbox } = scene;
  const hasStarted = installLanguageServer(scene);
  const file = join(sandbox.project, 'a.ts');
  writeFileSync(file, 'export const a = 1;\n');
  model.when('look', [
    tool('Read', { file_path: file }),
    tool('LSP', { operation: 'documentSymbol', filePath: file, line: 1, character: 1 }),
    tool('Edit', { file_path: file, old_string: 'a = 1', new_string: 'a = 2' }),
    text('done'),
  ]);
  const start = (waitMs: number) =>
    server.call('claude_code', {
      prompt: 'look',
      cwd: sandbox.project,
      waitMs,
      allowedTools: ['Edit'],
    });

  const untrusted = await start(20_000);
  const before = hasStarted();
  await server.call('claude_code_session', { action: 'cancel', sessionId: untrusted.json.sessionId });
  sandbox.trustFolder(sandbox.project);
  writeFileSync(file, 'export const a = 1;\n');
  await start(0);
  await until('the language server has started', hasStarted);

  expect({ before, status: untrusted.json.status, hint: untrusted.json.projectSettings }).toEqual({
    before: false,
    status: 'idle',
    hint: expect.stringContaining('plugins not loaded: ts@nest'),
  });
});
