import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human } from '../kit/approval-moves.js';
import { askedCommands } from '../kit/asked-commands.js';
import { startScene } from '../kit/fixture.js';

const commands = ['cat "~/app/notes.txt"', String.raw`cat \~/app/notes.txt`, "head '~'/app/notes.txt"];

it.each(['agent-sdk', 'cli'])('a tilde in quotes is not the home folder (%s)', async (backend) => {
  const scene = await startScene({ era: 'modern', env: { ...human, CLAUDE_CODE_MCP_BACKEND: backend } });
  const { home, root } = scene.sandbox;
  const cwd = join(home, 'app');
  mkdirSync(join(cwd, '~', 'app'), { recursive: true });
  writeFileSync(join(cwd, 'notes.txt'), 'plain words\n');
  writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
  symlinkSync(join(root, 'secret.txt'), join(cwd, '~', 'app', 'notes.txt'));

  const asked = await askedCommands(scene, commands, { cwd });

  expect(asked).toEqual(commands);
  const sent = JSON.stringify(scene.model.requests().map(({ body }) => body));
  expect(sent.includes('hidden words')).toBe(false);
});
