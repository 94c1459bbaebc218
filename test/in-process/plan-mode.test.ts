import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import type { ActionJson } from '../kit/answer-json.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';

describe('in plan mode', () => {
  it('holds also when the model enters it by itself, and looking around is not asked', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern' });
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
}: InProcessScene): Promise<{ sessionId: string; action: ActionJson | undefined }> {
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
    const scene = await startInProcess({ era: 'modern' });
    const { action } = await review(scene);

    const built = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow',
      nextMode: 'acceptEdits',
    });

    expect(action).toMatchObject({
      type: 'plan_review',
      plan: '# Plan\nTouch a file.',
      accepts: ['allow', 'deny'],
    });
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'built' } });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });

  it('leads back to the mode before it when none is chosen: the first edit is asked', async () => {
    const scene = await startInProcess({ era: 'legacy' });
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

  it('can be edited by whoever approves it, and denied with words', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const edited = await review(scene);
    await scene.server.call('claude_code_respond', {
      requestId: edited.action?.requestId,
      decision: 'allow',
      plan: '# Plan\nTouch two files.',
    });
    const denied = await review(scene);
    await scene.server.call('claude_code_respond', {
      requestId: denied.action?.requestId,
      decision: 'deny',
      message: 'Think again.',
    });

    const bodies = (sessionId: string): string =>
      JSON.stringify(scene.model.requests(sessionId).map(({ body }) => body));
    expect(bodies(edited.sessionId)).toContain('Touch two files.');
    expect(bodies(denied.sessionId)).toContain('Think again.');
  });

  it('does not lead to a mode that nobody may choose', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { sessionId, action } = await review(scene);

    const refused = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow',
      nextMode: 'bypassPermissions',
    });
    const still = await scene.server.call('claude_code_check', { sessionId });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*bypassPermissions/);
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ type: 'plan_review' }] });
  });
});
