import { expect, it } from 'vitest';
import { any, start } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool, type ScriptStep } from '../kit/model-steps.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';

const agent = {
  description: 'd',
  prompt: 'help out',
  subagent_type: 'general-purpose',
  run_in_background: true,
};

it('a subagent cannot change a plan during its review', async () => {
  const scene = await startScene({ era: 'modern', env: any });
  const { server, model } = scene;
  const reviewed = createGate();
  let file = '';
  const write: ScriptStep = ({ body }) => {
    [file = ''] = /\/[^\s"\\`]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? [];
    return tool('Write', { file_path: file, content: 'Touch a file.' });
  };
  model.when('help out', [
    gate(reviewed, () => tool('Read', { file_path: file })),
    () => tool('Write', { file_path: file, content: 'Delete it all.' }, { id: 'change' }),
    text('helped'),
  ]);
  model.when('do it', [write, tool('Agent', agent), tool('ExitPlanMode', {}, { id: 'exit' }), text('over')]);
  const { json } = await start(scene, { permissionMode: 'plan' });
  expect(json.actions).toMatchObject([{ type: 'plan_review', plan: 'Touch a file.' }]);
  const resultOf = (id: string): string | undefined =>
    model
      .requests()
      .map((request) => toolResultText(request, id))
      .find((result) => result !== undefined);
  const { sessionId } = json;
  reviewed.open();
  const [review, change] = await until('the change is held', async () => {
    const { json: now } = await server.call('claude_code_check', { sessionId, waitMs: 500 });
    return now.actions?.length === 2 && now.actions;
  });
  await server.call('claude_code_respond', { requestId: change?.requestId, decision: 'deny', waitMs: 0 });

  const requestId = review?.requestId;
  await server.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 0 });

  expect(change).toMatchObject({ toolName: 'Write', reason: expect.stringContaining('being reviewed') });
  expect(await until('the plan is approved', () => resultOf('exit'))).toContain('Touch a file.');
});
