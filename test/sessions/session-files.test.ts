import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readSessionFile } from '../../src/sessions/session-files.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

it.skipIf(process.platform === 'win32')(
  'a file of a session is not read through a link that takes the place of its folder for a moment',
  async () => {
    const root = temporaryFolder();
    const [cwd, elsewhere] = [join(root, 'project'), join(root, 'elsewhere')];
    const [folder, away, link] = [join(cwd, 'sub'), join(root, 'away'), join(root, 'link')];
    for (const [at, text] of [
      [folder, 'of the session'],
      [elsewhere, 'of others'],
    ] as const) {
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'a.txt'), text);
    }
    symlinkSync(elsewhere, link);
    const texts = new Set<string>();

    for (let round = 0; round < 600; round += 1) {
      const reading = readSessionFile(join(folder, 'a.txt'), { cwd });
      renameSync(folder, away);
      renameSync(link, folder);
      for (let turns = 0; turns < round % 60; turns += 1) await turn();
      renameSync(folder, link);
      renameSync(away, folder);
      const found = await reading;
      if ('text' in found) texts.add(found.text);
    }

    expect([...texts].filter((text) => text !== 'of the session')).toEqual([]);
  },
);
