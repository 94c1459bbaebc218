import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { connectServer } from '../kit/server-client.js';
import { exists, human, start, wants } from '../kit/approval-moves.js';

/** A server whose environment needs to know the sandbox. */
async function startIn(env: (sandbox: Scene['sandbox']) => Record<string, string>): Promise<Scene> {
  const { model, sandbox } = await startBackstage();
  const server = await connectServer({ era: 'modern', model, sandbox, env: env(sandbox) });
  onTestFinished(() => server.close());
  return { model, sandbox, server };
}

describe('a folder in ROOTS', () => {
  it('bounds sessions and trusts nothing in it', async () => {
    const trusting = { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' };
    const scene = await startIn(({ root }) => ({ CLAUDE_CODE_MCP_ROOTS: root, ...trusting }));
    const hook = { type: 'command', command: `touch ${join(scene.sandbox.project, 'sprung.txt')}` };
    mkdirSync(join(scene.sandbox.project, '.claude'));
    writeFileSync(
      join(scene.sandbox.project, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }),
    );
    wants(scene, text('hello'));

    const done = await start(scene);
    const slashed = await start(scene, { advanced: { slashCommands: true } });

    expect(done.json.projectSettings).toContain('skipped');
    expect(exists(scene, 'sprung.txt')).toBe(false);
    expect(slashed.text).toMatch(/^Error \[PERMISSION_DENIED\]: slashCommands needs a folder/);
  });
});

describe('a command that a caller has given as a variable before', () => {
  const command = 'touch$IFS$9pwned.txt;id';

  it('is shown to the person all the same', async () => {
    const advanced = { env: { FOO: command } };
    const scene = await startScene({ era: 'legacy', env: human, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wants(scene, text('hello'));
    await start(scene, { advanced });
    wants(scene, tool('Bash', { command }));

    await start(scene);

    expect(person.forms.at(-1)?.message).toContain(command);
  });
});
