import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import type { ActionJson } from '../kit/answer-json.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';

/** Ways to let Bash run unasked that do not pass by whoever approves. */
const roadsRound: [string, (scene: Scene) => Record<string, unknown>][] = [
  ['allowedTools', () => ({ allowedTools: ['Bash'] })],
  [
    'a rule of the user',
    ({ sandbox }) => {
      writeFileSync(
        join(sandbox.configDir, 'settings.json'),
        JSON.stringify({ permissions: { allow: ['Bash'] } }),
      );
      return {};
    },
  ],
  [
    'a hook of a trusted repository',
    ({ sandbox }) => {
      sandbox.trustFolder(sandbox.project);
      mkdirSync(join(sandbox.project, '.claude'));
      const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
      const hook = { type: 'command', command: `echo '${JSON.stringify(answer)}'` };
      const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };
      writeFileSync(join(sandbox.project, '.claude', 'settings.json'), JSON.stringify(settings));
      return {};
    },
  ],
];

describe('in plan mode', () => {
  it.each(roadsRound)('nothing is written unasked, in spite of %s', async (_name, prepare) => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    const options = prepare(scene);
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('over')]);
    const start = { prompt: 'touch', cwd: sandbox.project, waitMs: 20_000, ...options };

    const planning = await server.call('claude_code', { ...start, permissionMode: 'plan' });
    const wasWritten = existsSync(join(sandbox.project, 'a.txt'));
    const working = await server.call('claude_code', { ...start, permissionMode: 'default' });

    expect(planning.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(wasWritten).toBe(false);
    expect(working.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });

  it('holds also when the model enters it by itself, and looking around is not asked', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    model.when('plan', [
      tool('EnterPlanMode', {}),
      tool('Bash', { command: 'ls' }),
      tool('Bash', { command: 'touch a.txt' }),
      text('over'),
    ]);

    const asked = await server.call('claude_code', {
      prompt: 'plan',
      cwd: sandbox.project,
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', input: { command: 'touch a.txt' } }],
    });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});

/** The model finds the path of its plan file in the reminder that plan mode gives it. */
function writePlan(content: string): ScriptStep {
  return (request) => {
    const [path = ''] = /\/[^\s"\\`]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body)) ?? [];
    return tool('Write', { file_path: path, content });
  };
}

async function review({
  server,
  model,
  sandbox,
}: Scene): Promise<{ sessionId: string; action: ActionJson | undefined }> {
  model.when('plan it', [
    writePlan('# Plan\nTouch a file.'),
    tool('ExitPlanMode', {}),
    tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' }),
    text('built'),
  ]);
  const { json } = await server.call('claude_code', {
    prompt: 'plan it',
    cwd: sandbox.project,
    permissionMode: 'plan',
    waitMs: 20_000,
  });
  return { sessionId: json.sessionId, action: json.actions?.[0] };
}

describe('a plan', () => {
  it('is shown whole, approved, and followed by the mode that was chosen', async () => {
    const scene = await startScene({ era: 'modern' });
    const { action } = await review(scene);

    const built = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow',
      nextMode: 'acceptEdits',
    });

    expect(action).toMatchObject({
      type: 'plan_review',
      summary: 'Claude asks for approval of its plan',
      plan: '# Plan\nTouch a file.',
      accepts: ['allow', 'deny', 'plan', 'nextMode'],
    });
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'built' } });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });

  it('leads back to the mode before it when none is chosen: the first edit is asked', async () => {
    const scene = await startScene({ era: 'legacy' });
    const { action } = await review(scene);

    const next = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow',
    });

    expect(next.json).toMatchObject({
      status: 'waiting',
      actions: [{ type: 'permission', toolName: 'Write' }],
    });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });
});
