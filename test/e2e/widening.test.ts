import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { expectRefusals } from '../kit/widening-scene.js';
import { startTries, type Try } from '../kit/widening-tries.js';

async function startLinkedScene(): Promise<Scene> {
  const scene = await startScene({ era: 'modern' });
  symlinkSync(scene.sandbox.home, join(scene.sandbox.project, 'link-home'));
  return scene;
}

describe('a start that asks for more than a caller may have', () => {
  it('is refused with the reason, and starts nothing', async () => {
    const scene = await startLinkedScene();

    expect(startTries.length).toBeGreaterThan(40);
    await expectRefusals(scene, 'claude_code', startTries, (args) => ({ prompt: 'hello', ...args }));
  });
});

describe('an approval that asks for more than a caller may have', () => {
  it('is refused with the reason, and the request stays open', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('over')]);
    const started = await server.call('claude_code', { prompt: 'touch', waitMs: 20_000 });
    const requestId = started.json.actions?.[0]?.requestId;
    const updates = (update: unknown) => () => ({ updatedPermissions: [update] });
    const rules = [{ toolName: 'Bash' }];
    const tries: readonly Try[] = [
      ...['userSettings', 'projectSettings', 'localSettings', 'cliArg'].map((destination): Try => [
        destination,
        updates({ type: 'addRules', rules, destination }),
        'PERMISSION_DENIED',
        `cannot be saved to "${destination}"`,
      ]),
      ...['bypassPermissions', 'auto', 'dontAsk'].map((mode): Try => [
        mode,
        updates({ type: 'setMode', mode }),
        'PERMISSION_DENIED',
        `mode "${mode}"`,
      ]),
      ...[sandbox.home, sandbox.stateDir, sandbox.configDir, '/'].map((folder): Try => [
        folder,
        updates({ type: 'addDirectories', directories: [folder] }),
        'PERMISSION_DENIED',
        `additionalDirectories ${folder} is not allowed`,
      ]),
      ['a flag', updates({ type: 'addRules', rules: [{ toolName: '--bare' }] }), 'INVALID_ARGUMENT', '"-"'],
      [
        'two rules',
        updates({ type: 'addRules', rules: [{ toolName: 'Read', ruleContent: 'x),Bash(y' }] }),
        'INVALID_ARGUMENT',
        'one rule',
      ],
      ['fewer rules', updates({ type: 'removeRules', rules }), 'INVALID_ARGUMENT', 'updatedPermissions'],
      [
        'other rules',
        updates({ type: 'replaceRules', rules, behavior: 'allow' }),
        'INVALID_ARGUMENT',
        'updatedPermissions',
      ],
      [
        'more keys',
        updates({ type: 'addRules', rules, command: 'id' }),
        'INVALID_ARGUMENT',
        'updatedPermissions',
      ],
      [
        'a mode with it',
        () => ({ nextMode: 'bypassPermissions' }),
        'PERMISSION_DENIED',
        'mode "bypassPermissions"',
      ],
    ];

    await expectRefusals(scene, 'claude_code_respond', tries, (args) => ({
      requestId,
      decision: 'allow',
      ...args,
    }));

    const after = await server.call('claude_code_check', { sessionId: started.json.sessionId });
    expect(after.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
  });
});
