import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { startBackstage, type Scene } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

/** As before bash 5.2, as in zsh, and with another place for folders. */
const shellOptions = ['shopt -u globskipdots', 'shopt -s globstar', 'export CDPATH=..'];
const commands = ['cat .*/outside/secret.txt', 'cat **/link.txt', 'cd outside && cat secret.txt'];

/** A project with a link to a file outside, two folders down, and a user whose shell has options. */
async function boundedScene(backend: string): Promise<Scene> {
  const { model, sandbox } = await startBackstage();
  const { project, root, home } = sandbox;
  for (const folder of [join(root, 'outside'), join(project, 'a', 'b')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'outside', 'secret.txt'), 'hidden words\n');
  symlinkSync(join(root, 'outside', 'secret.txt'), join(project, 'a', 'b', 'link.txt'));
  writeFileSync(join(home, '.bashrc'), `${shellOptions.join('\n')}\n`);
  const env = { CLAUDE_CODE_MCP_ROOTS: project, CLAUDE_CODE_MCP_BACKEND: backend, SHELL: '/bin/bash' };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());
  return { model, sandbox, server };
}

it.each(['agent-sdk', 'cli'])(
  'where reading is bounded, a command that reads outside through options of the shell is asked about (%s)',
  async (backend) => {
    const scene = await boundedScene(backend);

    const asked = await askedCommands(scene, commands);

    expect(asked).toEqual(commands);
    const sent = JSON.stringify(scene.model.requests().map(({ body }) => body));
    expect(sent.includes('hidden words')).toBe(false);
  },
);
