import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { human, writeUserSettings } from '../kit/approval-moves.js';
import { askedCommands } from '../kit/asked-commands.js';
import { startScene, type Scene } from '../kit/fixture.js';

const cli = { CLAUDE_CODE_MCP_BACKEND: 'cli' };
/** As on macOS, where no option follows the first operand. */
const strict = { POSIXLY_CORRECT: '1', SHELL: '/bin/bash' };

/** Each seems to read only inside the folder. */
function commandsIn({ sandbox }: Scene): readonly string[] {
  const secret = join(sandbox.root, 'secret.txt');
  return [
    `head -99c ${secret}`,
    `tail -99c ${secret}`,
    `head -99qc ${secret}`,
    `head notes -n ${secret}`,
    "sed -n 'w written' -e p notes",
    "sed 'e touch ran' -e p notes",
    'tree -Lo 1 written',
    'tree -Ll 1',
  ];
}

function plant({ sandbox }: Scene): void {
  writeFileSync(join(sandbox.root, 'secret.txt'), 'hidden words\n');
  writeFileSync(join(sandbox.project, 'notes'), 'a\n');
}

function sent({ model }: Scene): string {
  return JSON.stringify(model.requests().map(({ body }) => body));
}

describe('options that a program understands in another way are asked about', () => {
  it.each([
    ['with human-only approvals on the cli backend', { ...human, ...cli }, {}, {}],
    ['in plan mode with Bash pre-approved', {}, { permissionMode: 'plan', allowedTools: ['Bash'] }, {}],
    ['with human-only approvals and a rule of the user', human, {}, { permissions: { allow: ['Bash'] } }],
  ])('%s', async (_where, env, options, settings) => {
    const scene = await startScene({ era: 'modern', env: { ...strict, ...env } });
    writeUserSettings(scene, settings);
    plant(scene);
    const commands = commandsIn(scene);

    const asked = await askedCommands(scene, commands, options);

    expect(asked).toEqual(commands);
    expect(sent(scene)).not.toContain('hidden words');
    expect(readdirSync(scene.sandbox.project)).toEqual(['notes']);
  });
});

it('where reading is bounded, a tilde after a sign does not lead through a link', async () => {
  const env = {
    SHELL: '/bin/bash',
    CLAUDE_CODE_MCP_APPROVALS: 'any',
    CLAUDE_CODE_MCP_PREALLOW: 'Read',
    CLAUDE_CODE_MCP_BACKEND: 'agent-sdk',
  };
  const scene = await startScene({ era: 'modern', env });
  plant(scene);
  const { project, home, root } = scene.sandbox;
  mkdirSync(join(project, `a=${home}`), { recursive: true });
  symlinkSync(join(root, 'secret.txt'), join(project, `a=${home}`, 'x'));

  const asked = await askedCommands(scene, ['cat a=~/x']);

  expect(asked).toEqual(['cat a=~/x']);
  expect(sent(scene)).not.toContain('hidden words');
});
