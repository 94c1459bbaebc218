import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { any, ask, exists, human, start, touch, wants } from '../kit/approval-moves.js';

const respond = (scene: InProcessScene, requestId: string | undefined, more: object = {}) =>
  scene.server.call('claude_code_respond', { requestId, decision: 'allow', ...more });

describe('slash commands, which run shell lines that nobody is asked about', () => {
  it.each([
    ['where only people approve', human, {}],
    ['in plan mode', any, { permissionMode: 'plan' }],
  ])('are refused %s', async (_where, env, options) => {
    const trusting = { ...env, CLAUDE_CODE_MCP_CALLER_TRUST: 'full' };
    const scene = await startInProcess({ era: 'modern', env: trusting });
    const commands = join(scene.sandbox.project, '.claude', 'commands');
    scene.sandbox.trustFolder(scene.sandbox.project);
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'fix.md'), '---\nallowed-tools: Bash(touch:*)\n---\n!`touch pwned.txt`\n');

    const started = await start(scene, { prompt: '/fix', ...options, advanced: { slashCommands: true } });

    expect(started.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: slashCommands cannot be used in plan mode, or where only a person may approve/,
    );
    expect(exists(scene, 'pwned.txt')).toBe(false);
  });
});

describe('an edit round a deny rule', () => {
  it('is refused for a tool that runs commands under another name', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { requestId } = await ask(
      scene,
      tool('Monitor', { command: 'touch other.txt', description: 'x' }),
      {
        disallowedTools: ['Bash(touch denied*)'],
      },
    );

    const edited = await respond(scene, requestId, {
      updatedInput: { command: 'touch denied.txt', description: 'x' },
    });

    expect(edited.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: updatedInput is not allowed: .*Bash\(touch denied\*\)/,
    );
    expect(exists(scene, 'denied.txt')).toBe(false);
  });
});

describe('plan mode that the model has entered by itself', () => {
  it.each([
    ['the process was closed', { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' }, false],
    ['the server was started anew', {}, true],
  ])('is still plan mode when %s', async (_what, env, isRestarted) => {
    const before = await startInProcess({ era: 'modern', env });
    before.model.when('do it', [tool('EnterPlanMode', {}), text('planning')]);
    before.model.when('go on', [tool('Bash', touch), text('over')]);
    const { sessionId } = (await start(before, { allowedTools: ['Bash'] })).json;
    const scene = isRestarted ? await restartInProcess(before, { era: 'modern' }) : before;
    if (!isRestarted) await scene.clock.pass(0);

    const asked = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'go on',
      waitMs: 20_000,
    });

    expect(scene.world.launches).toHaveLength(2);
    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe('a file by which other tools start programs', () => {
  it.each([
    ['by a copy', () => tool('Bash', { command: 'cp x.json .cursor/mcp.json' })],
    ['by a move', () => tool('Bash', { command: 'mv x.json opencode.json' })],
    [
      'through a link',
      ({ sandbox }: InProcessScene) =>
        tool('Write', { file_path: join(sandbox.project, 'config', 'mcp.json'), content: '{}' }),
    ],
  ])('is asked about in acceptEdits when it is written %s', async (_how, step) => {
    const scene = await startInProcess({ era: 'modern' });
    const { project } = scene.sandbox;
    mkdirSync(join(project, '.cursor'));
    symlinkSync(join(project, '.cursor'), join(project, 'config'));
    writeFileSync(join(project, 'x.json'), '{}');

    const { action } = await ask(scene, step(scene), { permissionMode: 'acceptEdits' });

    expect(action).toMatchObject({
      reason: expect.stringContaining('can make other tools start programs'),
      accepts: ['allow', 'deny'],
    });
    expect([readdirSync(join(project, '.cursor')), exists(scene, 'opencode.json')]).toEqual([[], false]);
  });
});

describe('in plan mode', () => {
  it('a subagent with a worktree of its own is asked about first', async () => {
    const scene = await startInProcess({ era: 'modern' });
    execFileSync('git', ['init', '-q', scene.sandbox.project]);
    const step = tool('Agent', { description: 'x', prompt: 'look', isolation: 'worktree' });

    const { action } = await ask(scene, step, { permissionMode: 'plan' });

    expect(action).toMatchObject({ toolName: 'Agent', accepts: ['allow', 'deny'] });
    expect(exists(scene, '.claude')).toBe(false);
  });
});

describe('where only people approve, a form that nobody answered', () => {
  it('comes again with the next call that waits, and an old answer to it settles nothing', async () => {
    const scene = await startInProcess({ era: 'modern', env: human, capabilities: formCapability });
    wants(scene, tool('Bash', touch));
    const person = seatPerson(scene.server, (_form, index) =>
      index === 0 ? { action: 'cancel' } : accept({ decision: 'allow' }),
    );

    const waiting = await start(scene);
    const { sessionId } = waiting.json;
    const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(waiting.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
    expect(done.json).toMatchObject({ status: 'idle', answered: [{ answeredBy: 'elicitation' }] });
    expect(person.forms).toHaveLength(2);
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});
