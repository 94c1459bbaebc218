import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { tool, type ScriptStep } from '../kit/model-steps.js';
import { ask, exists, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';

function respond(
  { server }: InProcessScene,
  requestId: string,
  answer: Record<string, unknown>,
): ReturnType<InProcessScene['server']['call']> {
  return server.call('claude_code_respond', { requestId, decision: 'allow', ...answer });
}

function write(folder: string, name: string): ScriptStep {
  return tool('Write', { file_path: join(folder, name), content: name });
}

describe('one approved touch', () => {
  it.each(['allow', 'allow_for_session'])('lets no edit pass after %s', async (decision) => {
    const scene = await startInProcess({ era: 'modern' });
    wants(scene, tool('Bash', touch), write(scene.sandbox.project, 'b.txt'));
    const asked = await start(scene);

    const next = await respond(scene, asked.json.actions?.[0]?.requestId ?? '', { decision });

    expect(next.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });
});

describe('what is granted', () => {
  it.each([
    ['for the session', { decision: 'allow_for_session' }],
    [
      'by a rule',
      { updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm run *' }] }] },
    ],
    [
      'for the session, by name',
      {
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
  ])('%s is written neither into the repository nor into the settings of the user', async (_name, answer) => {
    const scene = await startInProcess({ era: 'legacy' });
    const settings = { permissions: { deny: ['Bash(rm *)'] } };
    writeUserSettings(scene, settings);
    const { requestId } = await ask(scene, tool('Bash', { command: 'npm run one --silent' }));

    const done = await respond(scene, requestId, answer);
    await scene.server.close();

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, '.claude')).toBe(false);
    expect(JSON.parse(readFileSync(join(scene.sandbox.configDir, 'settings.json'), 'utf8'))).toEqual(
      settings,
    );
    expect(existsSync(join(scene.sandbox.configDir, 'settings.local.json'))).toBe(false);
  });

  it('by a rule covers the next call, and that of the next server', async () => {
    const before = await startInProcess({ era: 'modern' });
    const { sessionId, requestId } = await ask(before);
    const rules = [{ toolName: 'Bash', ruleContent: 'touch *' }];
    await respond(before, requestId, { updatedPermissions: [{ type: 'addRules', rules }] });
    wants(before, tool('Bash', { command: 'touch b.txt' }));
    const reply = { sessionId, prompt: 'do it', waitMs: 20_000 };
    const next = await before.server.call('claude_code_reply', reply);
    const scene = await restartInProcess(before, { era: 'modern' });
    wants(scene, tool('Bash', { command: 'touch c.txt' }));

    const later = await scene.server.call('claude_code_reply', reply);

    expect([next.json.status, later.json.status]).toEqual(['idle', 'idle']);
    expect([exists(scene, 'b.txt'), exists(scene, 'c.txt')]).toEqual([true, true]);
  });
});

const rule = { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'touch *' }] };

const refusedUpdates: [string, string, (scene: InProcessScene) => unknown][] = [
  ['a rule in the project', 'PERMISSION_DENIED', () => ({ ...rule, destination: 'projectSettings' })],
  [
    "a rule in the project's local file",
    'PERMISSION_DENIED',
    () => ({ ...rule, destination: 'localSettings' }),
  ],
  ["a rule in the user's settings", 'PERMISSION_DENIED', () => ({ ...rule, destination: 'userSettings' })],
  [
    "a mode in the user's settings",
    'PERMISSION_DENIED',
    () => ({ type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' }),
  ],
  ['bypassPermissions', 'PERMISSION_DENIED', () => ({ type: 'setMode', mode: 'bypassPermissions' })],
  ['auto', 'PERMISSION_DENIED', () => ({ type: 'setMode', mode: 'auto' })],
  ['the root folder', 'PERMISSION_DENIED', () => ({ type: 'addDirectories', directories: ['/'] })],
  [
    'the home folder',
    'PERMISSION_DENIED',
    ({ sandbox }) => ({ type: 'addDirectories', directories: [sandbox.home] }),
  ],
  [
    "the folder of Claude Code's settings, behind a good one",
    'PERMISSION_DENIED',
    ({ sandbox }) => ({ type: 'addDirectories', directories: [sandbox.project, sandbox.configDir] }),
  ],
  [
    "the server's own folder",
    'PERMISSION_DENIED',
    ({ sandbox }) => ({ type: 'addDirectories', directories: [sandbox.stateDir] }),
  ],
  [
    'a folder that is not there',
    'INVALID_ARGUMENT',
    ({ sandbox }) => ({ type: 'addDirectories', directories: [join(sandbox.root, 'nowhere')] }),
  ],
  ['a relative folder', 'INVALID_ARGUMENT', () => ({ type: 'addDirectories', directories: ['..'] })],
  ['the removal of rules', 'INVALID_ARGUMENT', () => ({ ...rule, type: 'removeRules' })],
  [
    'a rule that would be a flag',
    'INVALID_ARGUMENT',
    () => ({ type: 'addRules', rules: [{ toolName: '--dangerously-skip-permissions' }] }),
  ],
];

describe('an approval', () => {
  it.each(refusedUpdates)('cannot bring %s, and the request stays open', async (_name, code, updateOf) => {
    const scene = await startInProcess({ era: 'modern' });
    const { sessionId, requestId } = await ask(scene);

    // A good one before it: half of what was meant is not done.
    const updatedPermissions = [rule, updateOf(scene)];
    const refused = await respond(scene, requestId, { updatedPermissions });
    const still = await scene.server.call('claude_code_check', { sessionId, waitMs: 0 });

    expect(refused.text).toMatch(new RegExp(String.raw`^Error \[${code}\]`));
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it.each([
    ['a number for a command', { command: 5 }, 'Bash needs "command" as a string'],
    ['nothing', {}, 'Bash needs "command" as a string'],
    ['a list for a command', { command: ['touch', 'b.txt'] }, 'Bash needs "command" as a string'],
    [
      'words for a number',
      { command: 'touch b.txt', timeout: 'long' },
      '"timeout" must remain of type number',
    ],
    [
      'what stands for a secret',
      { command: 'echo [redacted] > b.txt' },
      'it contains a mark that replaces a hidden secret',
    ],
  ])('cannot run %s instead, and the request stays open', async (_name, updatedInput, problem) => {
    const scene = await startInProcess({ era: 'legacy' });
    const { sessionId, requestId } = await ask(scene, tool('Bash', { ...touch, timeout: 5_000 }));

    const refused = await respond(scene, requestId, { updatedInput });
    const still = await scene.server.call('claude_code_check', { sessionId, waitMs: 0 });
    const done = await respond(scene, requestId, {});

    expect(refused.text).toContain(`Error [INVALID_ARGUMENT]: updatedInput is invalid: ${problem}`);
    expect(refused.text).toContain('the request is still open');
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });

  it('cannot leave out the content of a file, or make the path another thing', async () => {
    const scene = await startInProcess({ era: 'modern' });
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
  it('is still asked about after it was added where edits are not accepted', async () => {
    const scene = await startInProcess({ era: 'legacy' });
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

  it('is reached by no language server if it was added and the user does not trust it', async () => {
    const scene = await startInProcess({ era: 'legacy' });
    writeUserSettings(scene, { enabledPlugins: { 'ts@nest': true } });
    const beside = join(scene.sandbox.root, 'beside');
    mkdirSync(beside);
    scene.sandbox.trustFolder(scene.sandbox.project);
    wants(scene, write(beside, 'a.txt'), tool('LSP', { filePath: join(beside, 'a.ts') }));
    const asked = await start(scene);

    const next = await respond(scene, asked.json.actions?.[0]?.requestId ?? '', {
      updatedPermissions: [{ type: 'addDirectories', directories: [beside] }],
    });

    expect(next.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'LSP', reason: expect.stringContaining('not trusted') as unknown }],
    });
  });
});
