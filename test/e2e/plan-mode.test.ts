import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import type { ActionJson } from '../kit/answer-json.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';

/** Every way to run Bash that bypasses the approver. Each works alone, see approvals-person. */
function openAllRoads({ sandbox }: Scene): void {
  writeFileSync(
    join(sandbox.configDir, 'settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash'] } }),
  );
  sandbox.trustFolder(sandbox.project);
  mkdirSync(join(sandbox.project, '.claude'));
  const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
  const hook = { type: 'command', command: `echo '${JSON.stringify(answer)}'` };
  const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };
  writeFileSync(join(sandbox.project, '.claude', 'settings.json'), JSON.stringify(settings));
}

describe('in plan mode', () => {
  it('nothing is written without approval in spite of allowedTools, rules and hooks, which work afterwards', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    openAllRoads(scene);
    model.when('touch', [
      tool('Bash', { command: 'ls' }),
      tool('Bash', { command: 'touch a.txt' }),
      text('over'),
    ]);

    const planning = await server.call('claude_code', {
      prompt: 'touch',
      cwd: sandbox.project,
      permissionMode: 'plan',
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });
    const { sessionId, actions } = planning.json;
    const requestId = actions?.[0]?.requestId;
    const denied = await server.call('claude_code_respond', { requestId, decision: 'deny' });
    const wasWritten = existsSync(join(sandbox.project, 'a.txt'));
    await server.call('claude_code_session', { action: 'configure', sessionId, permissionMode: 'default' });
    const working = await server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 20_000 });

    expect(planning.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', input: { command: 'touch a.txt' } }],
    });
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(wasWritten).toBe(false);
    expect(working.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 2 } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
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
      plan: '# Plan\nTouch a file.',
      accepts: ['allow', 'deny'],
    });
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'built' } });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });
});
