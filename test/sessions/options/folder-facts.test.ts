import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { gatherFacts } from '../../../src/sessions/options/folder-facts.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

it('language servers of the user do not run beside an untrusted additional folder', async () => {
  const root = temporaryFolder();
  const [home, trusted, other] = [join(root, 'home'), join(root, 'trusted'), join(root, 'other')];
  for (const folder of [join(home, '.claude'), join(trusted, 'sub'), other])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.claude', 'settings.json'), '{"enabledPlugins":{"ts@nest":true}}');
  const bounds = { home, stateDir: join(root, 'state'), claudeDir: join(home, '.claude'), listed: [] };
  const settings = {
    claudeHome: resolveClaudeHome({ home }),
    defaultCwd: trusted,
    bounds: { ...bounds, trusted: [trusted], roots: [] },
  };
  const pluginsWith = async (additionalDirectories?: readonly string[]) => {
    const requested = {
      cwd: trusted,
      additionalDirectories: additionalDirectories && [...additionalDirectories],
    };
    return (await gatherFacts(requested, settings, 'cwd')).languagePlugins;
  };

  expect(await pluginsWith()).toEqual([]);
  expect(await pluginsWith([join(trusted, 'sub')])).toEqual([]);
  expect(await pluginsWith([other])).toEqual(['ts@nest']);
});
