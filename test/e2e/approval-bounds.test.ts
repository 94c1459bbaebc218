import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { tool, type ScriptStep } from '../kit/model-steps.js';
import { ask, exists, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';

function respond(
  { server }: Scene,
  requestId: string,
  answer: Record<string, unknown>,
): ReturnType<Scene['server']['call']> {
  return server.call('claude_code_respond', { requestId, decision: 'allow', ...answer });
}

function write(folder: string, name: string): ScriptStep {
  return tool('Write', { file_path: join(folder, name), content: name });
}

describe('one approved touch', () => {
  it.each(['allow', 'allow_for_session'])('lets no edit pass after %s', async (decision) => {
    const scene = await startScene({ era: 'modern' });
    wants(scene, tool('Bash', touch), write(scene.sandbox.project, 'b.txt'));
    const asked = await start(scene);

    const next = await respond(scene, asked.json.actions?.[0]?.requestId ?? '', { decision });

    expect(next.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });
});

describe('what is granted', () => {
  it('for the session, by a rule or by a mode is written neither into the repository nor into the settings of the user', async () => {
    const scene = await startScene({ era: 'legacy' });
    const settings = { permissions: { deny: ['Bash(rm *)'] } };
    writeUserSettings(scene, settings);
    const rules = [{ toolName: 'Bash', ruleContent: 'npm test *' }];
    const answers = [
      { decision: 'allow_for_session' },
      { updatedPermissions: [{ type: 'addRules', rules }] },
      { updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
    ];
    const commands = ['npm run one --silent', 'npm test --silent', 'npm view --silent'];
    wants(scene, ...commands.map((command) => tool('Bash', { command })));

    let { json } = await start(scene);
    for (const [index, answer] of answers.entries()) {
      expect(json).toMatchObject({ status: 'waiting', actions: [{ input: { command: commands[index] } }] });
      ({ json } = await respond(scene, json.actions?.[0]?.requestId ?? '', answer));
    }
    await scene.server.close();

    expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, '.claude')).toBe(false);
    expect(JSON.parse(readFileSync(join(scene.sandbox.configDir, 'settings.json'), 'utf8'))).toEqual(
      settings,
    );
    expect(existsSync(join(scene.sandbox.configDir, 'settings.local.json'))).toBe(false);
  });

  it('by a rule covers the next call, and that of the next server', async () => {
    const before = await startScene({ era: 'modern' });
    const { sessionId, requestId } = await ask(before);
    const rules = [{ toolName: 'Bash', ruleContent: 'touch *' }];
    await respond(before, requestId, { updatedPermissions: [{ type: 'addRules', rules }] });
    wants(before, tool('Bash', { command: 'touch b.txt' }));
    const reply = { sessionId, prompt: 'do it', waitMs: 20_000 };
    const next = await before.server.call('claude_code_reply', reply);
    const scene = await restart(before, { era: 'modern' });
    wants(scene, tool('Bash', { command: 'touch c.txt' }));

    const later = await scene.server.call('claude_code_reply', reply);

    expect([next.json.status, later.json.status]).toEqual(['idle', 'idle']);
    expect([exists(scene, 'b.txt'), exists(scene, 'c.txt')]).toEqual([true, true]);
  });
});

describe('an approval', () => {
  it('cannot leave out the content of a file, or make the path another thing', async () => {
    const scene = await startScene({ era: 'modern' });
    const { requestId } = await ask(scene, write(scene.sandbox.project, 'a.txt'));

    const partial = await respond(scene, requestId, { updatedInput: { file_path: '/tmp/b.txt' } });
    const misshapen = await respond(scene, requestId, {
      updatedInput: { file_path: { path: '/tmp/b.txt' }, content: 'b' },
    });

    expect(partial.text).toMatch(/^Error \[INVALID_ARGUMENT\]: .*Write needs "content" as a string/);
    expect(misshapen.text).toMatch(/^Error \[INVALID_ARGUMENT\]: .*Write needs "file_path" as a string/);
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe('a folder beside the working one', () => {
  it('is asked about even where edits are accepted, until an approval adds it', async () => {
    const before = await startScene({ era: 'modern' });
    const beside = join(before.sandbox.root, 'beside');
    mkdirSync(beside);
    wants(before, write(beside, 'a.txt'), write(beside, 'b.txt'));
    const asked = await start(before, { permissionMode: 'acceptEdits' });
    const { sessionId, actions } = asked.json;
    const wasWritten = existsSync(join(beside, 'a.txt'));

    const done = await respond(before, actions?.[0]?.requestId ?? '', {
      updatedPermissions: [{ type: 'addDirectories', directories: [beside] }],
    });
    const scene = await restart(before, { era: 'modern' });
    wants(scene, write(beside, 'c.txt'));
    const later = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(wasWritten).toBe(false);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(later.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => existsSync(join(beside, name)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('is still asked about after it was added where edits are not accepted', async () => {
    const scene = await startScene({ era: 'legacy' });
    const beside = join(scene.sandbox.root, 'beside');
    mkdirSync(beside);
    wants(scene, write(beside, 'a.txt'), write(beside, 'b.txt'));
    const asked = await start(scene);

    const next = await respond(scene, asked.json.actions?.[0]?.requestId ?? '', {
      updatedPermissions: [{ type: 'addDirectories', directories: [beside] }],
    });

    expect(next.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(existsSync(join(beside, 'b.txt'))).toBe(false);
  });
});
