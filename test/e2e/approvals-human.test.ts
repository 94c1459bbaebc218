import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { ask, exists, human, start, touch, wants, writePlan } from '../kit/approval-moves.js';

describe('where only people approve, a caller may', () => {
  it('deny a tool and a plan', async () => {
    const scene = await startScene({ era: 'modern', env: human });
    const permission = await ask(scene);
    const afterTool = await scene.server.call('claude_code_respond', {
      requestId: permission.requestId,
      decision: 'deny',
      message: 'Not today.',
    });
    const { sessionId } = permission;
    await scene.server.call('claude_code_session', {
      action: 'configure',
      sessionId,
      permissionMode: 'plan',
    });
    wants(scene, writePlan('# Plan\nTouch a file.'), tool('ExitPlanMode', {}), tool('Bash', touch));
    const plan = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });
    const toldFirst = JSON.stringify(scene.model.requests(sessionId).at(-1)?.body);
    const afterPlan = await scene.server.call('claude_code_respond', {
      requestId: plan.json.actions?.[0]?.requestId,
      decision: 'deny',
      message: 'Another plan.',
      interrupt: true,
    });

    expect(plan.json).toMatchObject({ status: 'waiting', actions: [{ type: 'plan_review' }] });
    expect(afterTool.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(toldFirst).toContain('Not today.');
    expect(afterPlan.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe('what the operator lets callers allow in advance', () => {
  const env = { ...human, CLAUDE_CODE_MCP_PREALLOW: 'Bash' };

  it('runs without approval for a caller who asked for it, and for nobody else', async () => {
    const scene = await startScene({ era: 'modern', env });
    wants(scene, tool('Bash', touch));

    const without = await start(scene);
    const wasWritten = exists(scene, 'a.txt');
    const allowed = await start(scene, { allowedTools: ['Bash'] });

    expect(without.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(wasWritten).toBe(false);
    expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});
