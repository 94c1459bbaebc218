import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restart, startBackstage, startScene, type Scene } from '../kit/fixture.js';
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
    const scene = await startIn(({ root }) => ({ CLAUDE_CODE_MCP_ROOTS: root }));
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

  it('bounds what a caller allows in advance with an answer', async () => {
    const scene = await startIn(({ project }) => ({ CLAUDE_CODE_MCP_ROOTS: project }));
    const file_path = join(scene.sandbox.root, 'outside.txt');
    writeFileSync(file_path, 'outside');
    wants(scene, tool('Bash', { command: 'touch a.txt' }), tool('Read', { file_path }));
    const { actions = [] } = (await start(scene)).json;

    const asked = await scene.server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Read' }] }],
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
  });
});

describe('a command that a caller has given as a variable or header before', () => {
  const command = 'touch$IFS$9pwned.txt;id';

  it.each([
    ['in a call that was refused', { env: { FOO: command } }],
    ['as a harmless variable', { env: { LANG: command } }],
    [
      'as a header',
      { mcpServers: { x: { type: 'http', url: 'https://example.com/', headers: { A: command } } } },
    ],
  ])('is shown to the person all the same, %s', async (_how, advanced) => {
    const scene = await startScene({ era: 'legacy', env: human, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wants(scene, text('hello'));
    await start(scene, { advanced });
    wants(scene, tool('Bash', { command }));

    await start(scene);

    expect(person.forms.at(-1)?.message).toContain(command);
  });
});

describe('a list of what may run unasked', () => {
  it('is a ceiling for rules that were granted before there was a list', async () => {
    const before = await startScene({ era: 'modern' });
    wants(before, tool('Bash', { command: 'npm run one' }));
    const { sessionId, actions = [] } = (await start(before)).json;
    await before.server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow_for_session',
    });
    const scene = await restart(before, { era: 'modern', env: { CLAUDE_CODE_MCP_PREALLOW: 'Read' } });
    wants(scene, tool('Bash', { command: 'npm run two' }));

    const asked = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ summary: 'Bash: npm run two' }] });
  });
});
