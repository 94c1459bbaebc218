import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start, wants, writeUserSettings } from '../kit/approval-moves.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

const human = { CLAUDE_CODE_MCP_APPROVALS: 'human' };
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

/** Denies every request; returns the commands that were asked about. */
async function askedOf(scene: Scene, options: Record<string, unknown>): Promise<unknown[]> {
  wants(scene, ...commands.map((command) => tool('Bash', { command })));
  const asked: unknown[] = [];
  let { json } = await start(scene, options);
  while (json.status === 'waiting' && asked.length < commands.length) {
    const [action] = json.actions ?? [];
    asked.push((action?.input as { command?: unknown } | undefined)?.command);
    ({ json } = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'deny',
    }));
  }
  expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
  return asked;
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

    const asked = await askedOf(scene, options);

    expect(asked).toEqual(commands);
    expect(readdirSync(scene.sandbox.project).toSorted()).toEqual(planted.toSorted());
  });
});
