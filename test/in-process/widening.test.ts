import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { startIdle } from '../kit/start-idle.js';
import { expectRefusals } from '../kit/widening-scene.js';
import { protoTries, rareUrlTries, startTries, type Try } from '../kit/widening-tries.js';

async function startLinkedScene(): Promise<InProcessScene> {
  const scene = await startInProcess({ era: 'modern' });
  symlinkSync(scene.sandbox.home, join(scene.sandbox.project, 'link-home'));
  return scene;
}

/** The same options, for the process that a reply starts. */
function asResume(sessionId: string, { advanced, ...top }: Record<string, unknown>): Record<string, unknown> {
  return { sessionId, prompt: 'more', diskResumeConfig: { ...top, ...(advanced as object | undefined) } };
}

describe('a start that asks for more than a caller may have', () => {
  it('is refused with the reason, and starts nothing', async () => {
    const scene = await startLinkedScene();

    expect(startTries.length).toBeGreaterThan(40);
    await expectRefusals(scene, 'claude_code', startTries, (args) => ({ prompt: 'hello', ...args }));
  });

  it('is refused for a private address however it is spelled', async () => {
    const scene = await startLinkedScene();

    await expectRefusals(scene, 'claude_code', rareUrlTries, (args) => ({ prompt: 'hello', ...args }));
  });

  it('is refused for a name that would be a prototype', async () => {
    const scene = await startLinkedScene();

    await expectRefusals(scene, 'claude_code', protoTries, (args) => ({ prompt: 'hello', ...args }));
  });

  it('leaves a line in the log of the server, with the tool and the code', async () => {
    const { server } = await startInProcess({ era: 'modern' });

    await server.call('claude_code', { prompt: 'hello', advanced: { env: { LD_PRELOAD: '/x.so' } } });

    expect(server.stderr()).toMatch(/PERMISSION_DENIED/);
    expect(server.stderr()).toMatch(/env\.LD_PRELOAD/);
  });
});

describe('a reply that asks for more than a caller may have', () => {
  it.each([
    ['in the session', {}],
    ['in a fork', { forkSession: true }],
  ])('is refused with the reason, and changes nothing, %s', async (_, how) => {
    const scene = await startLinkedScene();
    const sessionId = await startIdle(scene);
    const elsewhere: Try = [
      'another folder',
      ({ sandbox }) => ({ cwd: join(sandbox.root, 'other') }),
      'INVALID_ARGUMENT',
      'cannot move to another folder',
    ];
    mkdirSync(join(scene.sandbox.root, 'other'));

    await expectRefusals(scene, 'claude_code_reply', [...startTries, elsewhere], (args) => ({
      ...asResume(sessionId, args),
      ...how,
    }));
  });

  it('finds no session by its title, its path or less than 8 characters of its id', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { title: 'herons' });
    const notIds = [
      'herons',
      sessionId.slice(0, 7),
      `${sessionId}.jsonl`,
      `../${sessionId}`,
      `${sessionId} x`,
    ];

    await expectRefusals(
      scene,
      'claude_code_reply',
      notIds.map((id): Try => [id, () => ({ sessionId: id }), 'INVALID_ARGUMENT', 'is not a UUID']),
      (args) => ({ prompt: 'more', ...args }),
    );
  });
});

describe('an approval that asks for more than a caller may have', () => {
  it('is refused with the reason, and the request stays open', async () => {
    const scene = await startInProcess({ era: 'modern' });
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
