import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { human, writeUserSettings } from '../kit/approval-moves.js';
import { askedCommands } from '../kit/asked-commands.js';
import { startScene, type Scene } from '../kit/fixture.js';

const cli = { CLAUDE_CODE_MCP_BACKEND: 'cli' };

/** Each looks as if it only reads, and leaves or deletes a file. */
const commands = [
  "[[ 'a[$(touch ran-by-eq)]' -eq 0 ]]",
  "test -v 'a[$(touch ran-by-test)]'",
  "printf -v 'a[$(touch ran-by-printf)]' x",
  'printf -v PATH . ; ls',
  './time ls',
  'echo evil 1<>written',
  'sort *',
  'find . -newer -name -delete',
] as const;

/** The third name is a file that `-newer` takes as its value, the last is an option to `sort`. */
const planted = ['ls', 'time', '-name', '-oran-by-sort'] as const;

/** A repository with programs of its own. */
function plant({ sandbox }: Scene): void {
  for (const name of planted) {
    writeFileSync(join(sandbox.project, name), `#!/bin/sh\n/usr/bin/touch ran-by-${name}\n`);
    chmodSync(join(sandbox.project, name), 0o755);
  }
}

describe('a command that runs another program or writes is asked about', () => {
  it.each([
    ['with human-only approvals on the cli backend', { ...human, ...cli }, {}, {}],
    ['in plan mode on the cli backend', cli, { permissionMode: 'plan' }, {}],
    ['in plan mode with Bash pre-approved', {}, { permissionMode: 'plan', allowedTools: ['Bash'] }, {}],
    ['with human-only approvals and a rule of the user', human, {}, { permissions: { allow: ['Bash'] } }],
  ])('%s', async (_where, env, options, settings) => {
    const scene = await startScene({ era: 'modern', env });
    writeUserSettings(scene, settings);
    plant(scene);

    const asked = await askedCommands(scene, commands, options);

    expect(asked).toEqual(commands);
    expect(readdirSync(scene.sandbox.project).toSorted()).toEqual(planted.toSorted());
  });
});
