import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { ask, exists, human, review, start, touch, wants } from '../kit/approval-moves.js';

describe('where only people approve, a caller cannot approve', () => {
  it('by the check of the four-tool design', async () => {
    const scene = await startScene({ era: 'modern', env: { ...human, CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' } });
    const { sessionId, requestId } = await ask(scene);

    const refused = await scene.server.call('claude_code_check', {
      action: 'respond_permission',
      sessionId,
      requestId,
      decision: 'allow',
    });
    const still = await scene.server.call('claude_code_check', { action: 'poll', sessionId });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: only a person may approve/);
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe('where only people approve, a caller may', () => {
  it('deny a tool and a plan', async () => {
    const scene = await startScene({ era: 'modern', env: human });
    const permission = await ask(scene);
    const afterTool = await scene.server.call('claude_code_respond', {
      requestId: permission.requestId,
      decision: 'deny',
      message: 'Not today.',
    });
    const plan = await review(scene);
    const afterPlan = await scene.server.call('claude_code_respond', {
      requestId: plan.requestId,
      decision: 'deny',
      message: 'Another plan.',
      interrupt: true,
    });

    expect(afterTool.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(JSON.stringify(scene.model.requests(permission.sessionId).at(-1)?.body)).toContain('Not today.');
    expect(afterPlan.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe('what the operator lets callers allow in advance', () => {
  const env = { ...human, CLAUDE_CODE_MCP_PREALLOW: 'Bash,Edit(docs/**)' };

  it('runs unasked for a caller who asked for it, and for nobody else', async () => {
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

  it('covers no other tool, and a rule with a pattern is taken but still asked', async () => {
    const scene = await startScene({ era: 'modern', env });
    wants(scene, tool('Write', { file_path: join(scene.sandbox.project, 'docs', 'a.md'), content: 'a' }));

    const other = await start(scene, { allowedTools: ['Bash', 'Write'] });
    const pattern = await start(scene, { allowedTools: ['Edit(docs/**)'] });

    expect(other.text).toMatch(/^Error \[PERMISSION_DENIED\]: allowedTools "Write"/);
    expect(pattern.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(exists(scene, 'docs')).toBe(false);
  });
});
