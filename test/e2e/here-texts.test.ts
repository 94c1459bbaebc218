import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { human, writeUserSettings } from '../kit/approval-moves.js';
import { askedCommands } from '../kit/asked-commands.js';
import { startScene } from '../kit/fixture.js';

/** A line that goes on is no quotation, so the shell computes what follows. */
const commands = ['cat <<E\\\nF\n$(touch first)\nEF\n', 'cat <<EF\\\n \n$(touch second)\nEF'];

it.each([
  ['with human-only approvals on the cli backend', { ...human, CLAUDE_CODE_MCP_BACKEND: 'cli' }, {}, {}],
  ['in plan mode on the cli backend', { CLAUDE_CODE_MCP_BACKEND: 'cli' }, { permissionMode: 'plan' }, {}],
  ['in plan mode with Bash pre-approved', {}, { permissionMode: 'plan', allowedTools: ['Bash'] }, {}],
  ['with human-only approvals and a rule of the user', human, {}, { permissions: { allow: ['Bash'] } }],
])('a text that the shell computes is asked about, %s', async (_where, env, options, settings) => {
  const scene = await startScene({ era: 'modern', env: { ...env, SHELL: '/bin/bash' } });
  writeUserSettings(scene, settings);

  const asked = await askedCommands(scene, commands, options);

  expect(asked).toEqual(commands);
  expect(readdirSync(scene.sandbox.project)).toEqual([]);
});
