import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gatherStateFolder } from '../../../src/app/doctor/machine-facts.js';
import { gatherClaudeSettings, gatherTrust } from '../../../src/app/doctor/settings-facts.js';
import type { Surroundings } from '../../../src/app/doctor/surroundings.js';
import { loadSettings } from '../../../src/config/load.js';
import type { Settings } from '../../../src/config/settings.js';
import { checkClaudeSettings } from '../../../src/console/doctor/settings.js';
import { checkStateFolder } from '../../../src/console/doctor/state-folder.js';
import { checkFolder } from '../../../src/console/doctor/trust.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function surroundings(settings: Partial<Settings> = {}) {
  const home = temporaryFolder();
  const cwd = join(home, 'project');
  mkdirSync(join(home, '.claude'));
  mkdirSync(cwd);
  const { settings: defaults } = loadSettings({}, {});
  const claudeHome = resolveClaudeHome({ home, configDir: undefined });
  return { settings: { ...defaults, ...settings }, environment: {}, cwd, home, claudeHome } as Surroundings;
}

it('doctor says that sessions cannot work outside the folders of the operator', async () => {
  const facts = surroundings({ roots: ['/srv'] });

  const finding = checkFolder(await gatherTrust(facts));

  expect(finding).toEqual({
    id: 'folder',
    status: 'warn',
    message: `Sessions cannot work in ${facts.cwd}, because it is outside CLAUDE_CODE_MCP_ROOTS.`,
    fix: 'Run doctor in one of those folders, or add this one.',
  });
});

it.each([
  ['{"permissions": {"deny": "Write"}}', '"permissions.deny" is not a list of rules.'],
  ['{"permissions": {"allow": ["Read"], "ask": ["Bash", 1]}}', '"permissions.ask" is not a list of rules.'],
  ['{"permissions": []}', '"permissions" is not an object.'],
  ['[]', 'The file must contain an object.'],
])('doctor finds rules that cannot apply: %s', async (text, why) => {
  const facts = surroundings();
  const path = join(facts.home, '.claude', 'settings.json');
  writeFileSync(path, text);

  const findings = checkClaudeSettings(await gatherClaudeSettings(facts, false));

  expect(findings).toEqual([
    {
      id: 'claude-settings',
      status: 'fail',
      message: `${path} is broken: ${why}`,
      fix: 'Correct the file. Until then Claude Code ignores it, or that part of it.',
    },
  ]);
});

it('doctor advises an update where a newer version has written the state folder', () => {
  const path = temporaryFolder();
  writeFileSync(join(path, 'format'), '99\n', { mode: 0o600 });

  expect(checkStateFolder(gatherStateFolder({ stateDir: path }))).toEqual({
    id: 'state-folder',
    status: 'fail',
    message: 'Sessions cannot be saved: the state folder was written by a newer version of this server.',
    fix: 'Update this server, or set CLAUDE_CODE_MCP_STATE_DIR to another folder.',
  });
});
