/** The time of day changes under a running server: by hand, by a time server, or while a computer sleeps. */
import { describe, expect, it } from 'vitest';
import { createGate } from '../kit/gate.js';
import { restartInProcess, startInProcess } from '../kit/in-process.js';
import { gate, text, tool } from '../kit/model-steps.js';

const modern = { era: 'modern' } as const;
const dayMs = 86_400_000;

describe.each([
  ['a day ahead', dayMs],
  ['a day back', -dayMs],
  ['a minute back', -60_000],
])('a clock that jumps %s', (_, jumpMs) => {
  it('neither ends nor delays a turn, and the next server knows its result', async () => {
    const scene = await startInProcess(modern);
    const held = createGate();
    scene.model.when('talk', [text('One.')]);
    scene.model.when('work', [gate(held, text('Two.'))]);
    const { json } = await scene.server.call('claude_code', {
      prompt: 'talk',
      cwd: scene.sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = json;
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'work', timeoutMs: 60_000 });
    await held.reached;

    scene.clock.jump(jumpMs);
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId, cursor: json.cursor });
    const next = await restartInProcess(scene, modern);
    const found = await next.server.call('claude_code_check', { sessionId });
    const usage = await next.server.call('claude_code_session', { action: 'get', sessionId });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
    expect(found.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
    expect(usage.json).toMatchObject({ turn: 2, totalCostUsd: 0.0088 });
  });

  it('leaves a request open for its whole time', async () => {
    const { server, model, sandbox, clock } = await startInProcess(modern);
    model.when('work', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const asked = await server.call('claude_code', {
      prompt: 'work',
      cwd: sandbox.project,
      permissionRequestTimeoutMs: 60_000,
      waitMs: 20_000,
    });
    const { sessionId, actions = [] } = asked.json;

    clock.jump(jumpMs);
    clock.advance(59_000);
    const open = await server.call('claude_code_check', { sessionId });
    const answered = await server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow',
      waitMs: 20_000,
    });

    expect(open.json).toMatchObject({ status: 'waiting' });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it('keeps the budget of a session', async () => {
    const scene = await startInProcess(modern);
    scene.model.when('talk', [text('One.')]);
    const { json } = await scene.server.call('claude_code', {
      prompt: 'talk',
      cwd: scene.sandbox.project,
      maxBudgetUsd: 0.004,
      waitMs: 20_000,
    });

    scene.clock.jump(jumpMs);
    const next = await restartInProcess(scene, modern);
    const refused = await next.server.call('claude_code_reply', {
      sessionId: json.sessionId,
      prompt: 'talk',
      waitMs: 20_000,
    });

    expect(refused.json).toMatchObject({ status: 'error', result: { errorSubtype: 'max_budget' } });
  });
});
