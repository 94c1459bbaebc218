import { accessSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human } from '../kit/approval-moves.js';
import { askedCommands } from '../kit/asked-commands.js';
import { startScene } from '../kit/fixture.js';

const zsh = [process.env['TEST_ZSH'] ?? '', '/bin/zsh', '/usr/bin/zsh'].find((path) => {
  try {
    accessSync(path);
    return path !== '';
  } catch {
    return false;
  }
});

const commands = ['cat d<1-9>/dev/null', "cat 'x''y'", 'cat q/**.txt'];

it.skipIf(zsh === undefined).each(['agent-sdk', 'cli'])(
  'a word that only zsh takes for another file is asked about (%s)',
  async (backend) => {
    const env = { ...human, CLAUDE_CODE_MCP_BACKEND: backend, SHELL: zsh ?? '' };
    const scene = await startScene({ era: 'modern', env });
    const { home, project, root } = scene.sandbox;
    writeFileSync(join(home, '.zshrc'), 'setopt rc_quotes glob_star_short\n');
    writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
    for (const folder of ['d1/dev', 'q/r']) mkdirSync(join(project, folder), { recursive: true });
    for (const link of ['d1/dev/null', "x'y", 'q/r/k.txt'])
      symlinkSync(join(root, 'secret.txt'), join(project, link));

    const asked = await askedCommands(scene, commands);

    expect(asked).toEqual(commands);
    expect(JSON.stringify(scene.model.requests().map(({ body }) => body)).includes('hidden words')).toBe(
      false,
    );
  },
);
