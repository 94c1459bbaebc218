import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../kit/approval-moves.js';
import { startInProcess } from '../kit/in-process.js';
import { tool } from '../kit/model-steps.js';
import { toolResultText } from '../kit/tool-result.js';

const env = { CLAUDE_CODE_MCP_TOOLSETS: 'async,view', MY_API_TOKEN: 'srv-7Qx9-PLANTED-k2Lm' };

it('an answer through the view moves no hidden secret to another place', async () => {
  const scene = await startInProcess({ era: 'modern', env });
  const [own, other] = ['a.txt', 'b.txt'].map((name) => join(scene.sandbox.project, name));
  const content = `key=${env.MY_API_TOKEN}`;
  const { requestId, action } = await ask(scene, tool('Write', { file_path: own, content }));
  const shown = { file_path: own, content: 'key=[secret of 21 characters]' };
  const allow = (input: object) =>
    scene.server.call('claude_code_view', { answer: { requestId, decision: 'allow', input } });

  const edited = await allow({ ...shown, file_path: other });
  const unchanged = await allow(shown);

  expect(action?.input).toEqual(shown);
  expect(edited.text).toMatch(
    /^Error \[INVALID_ARGUMENT\]: .* the original contains a secret of the operator/,
  );
  expect(unchanged.isError).toBeFalsy();
  expect(existsSync(String(other))).toBe(false);
});

it.each([
  [{}, 'The caller denied this.'],
  [{ message: ' use tabs ' }, 'use tabs'],
])('a denial through the view with %j tells Claude of no person', async (words, told) => {
  const scene = await startInProcess({ era: 'modern', env });
  const { requestId, sessionId } = await ask(
    scene,
    tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }),
  );

  await scene.server.call('claude_code_view', { answer: { requestId, decision: 'deny', ...words } });
  await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

  const last = scene.model.requests(sessionId).at(-1);
  expect(last && toolResultText(last, 'toolu_touch')).toBe(told);
});
