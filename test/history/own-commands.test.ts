import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { hasOwnCommand } from '../../src/history/settings/own-commands.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

function plant(): { readonly configDir: string; readonly cwd: string } {
  const root = temporaryFolder();
  const [configDir, cwd] = [join(root, 'config'), join(root, 'outer', 'repository', 'part')];
  const files = [
    join(configDir, 'commands', 'mine.md'),
    join(configDir, 'skills', 'helping', 'SKILL.md'),
    join(cwd, '.claude', 'commands', 'near.md'),
    join(cwd, '..', '.git', 'HEAD'),
    join(cwd, '..', '.claude', 'commands', 'shared.md'),
    join(cwd, '..', '..', '.claude', 'commands', 'beyond.md'),
  ];
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'text');
  }
  return { configDir, cwd };
}

it('finds the commands and skills of the user, and of the folder up to the root of its repository', () => {
  const places = { ...plant(), isProjectLoaded: true };

  const names = ['mine', 'helping', 'near', 'shared', 'plugin:any', 'beyond', 'Mine', 'config', '', '..'];
  const found = names.filter((name) => hasOwnCommand(name, places));

  expect(found).toEqual(['mine', 'helping', 'near', 'shared', 'plugin:any']);
});

it('finds no command of a project whose settings are not loaded', () => {
  const places = { ...plant(), isProjectLoaded: false };

  const found = ['mine', 'near', 'shared'].filter((name) => hasOwnCommand(name, places));

  expect(found).toEqual(['mine']);
});
