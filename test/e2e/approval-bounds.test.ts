import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { tool, type ScriptStep } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';
import { exists, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';

function respond(
  { server }: Scene,
  requestId: string,
  answer: Record<string, unknown>,
): ReturnType<Scene['server']['call']> {
  return server.call('claude_code_respond', { requestId, decision: 'allow', ...answer });
}

function requestOf({ json }: ToolReply): string {
  return json.actions?.[0]?.requestId ?? '';
}

function write(folder: string, name: string): ScriptStep {
  return tool('Write', { file_path: join(folder, name), content: name });
}

describe('an approved touch', () => {
  it('lets no edit pass, neither once nor for the session', async () => {
    const scene = await startScene({ era: 'modern' });
    const { project } = scene.sandbox;
    wants(
      scene,
      tool('Bash', touch),
      write(project, 'b.txt'),
      tool('Bash', { command: 'touch c.txt' }),
      write(project, 'd.txt'),
    );
    const asked = await start(scene);

    const afterOnce = await respond(scene, requestOf(asked), { decision: 'allow' });
    const again = await respond(scene, requestOf(afterOnce), { decision: 'deny' });
    const afterSession = await respond(scene, requestOf(again), { decision: 'allow_for_session' });

    for (const { json } of [afterOnce, afterSession])
      expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => exists(scene, name))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('what is granted', () => {
  it('for the session, by a rule or by a mode is written to no settings, and holds in the next server', async () => {
    const before = await startScene({ era: 'legacy' });
    const settings = { permissions: { deny: ['Bash(rm *)'] } };
    writeUserSettings(before, settings);
    const rules = [{ toolName: 'Bash', ruleContent: 'chmod *' }];
    const answers = [
      { decision: 'allow_for_session' },
      { updatedPermissions: [{ type: 'addRules', rules }] },
      { updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
    ];
    const commands = ['truncate -s 0 one.txt', 'chmod 600 one.txt', 'ln one.txt two.txt'];
    wants(
      before,
      ...commands.map((command) => tool('Bash', { command })),
      tool('Bash', { command: 'chmod 640 one.txt' }),
    );

    let { json } = await start(before);
    for (const [index, answer] of answers.entries()) {
      expect(json).toMatchObject({ status: 'waiting', actions: [{ input: { command: commands[index] } }] });
      ({ json } = await respond(before, json.actions?.[0]?.requestId ?? '', answer));
    }
    const scene = await restart(before, { era: 'legacy' });
    wants(scene, tool('Bash', { command: 'chmod 644 one.txt' }), write(scene.sandbox.project, 'a.txt'));
    const later = await scene.server.call('claude_code_reply', {
      sessionId: json.sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });
    await scene.server.close();

    for (const done of [json, later.json])
      expect(done).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
    expect(exists(scene, '.claude')).toBe(false);
    expect(JSON.parse(readFileSync(join(scene.sandbox.configDir, 'settings.json'), 'utf8'))).toEqual(
      settings,
    );
    expect(existsSync(join(scene.sandbox.configDir, 'settings.local.json'))).toBe(false);
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
