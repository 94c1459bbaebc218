import { expect, it } from 'vitest';
import {
  exists,
  hookSettings,
  human,
  start,
  touch,
  wants,
  writeUserSettings,
} from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it('without a gate, no session starts where a hook of the user could answer for people', async () => {
  const scene = await startScene({ era: 'modern', env: { ...human, CLAUDE_CODE_MCP_BACKEND: 'cli' } });
  writeUserSettings(scene, hookSettings('PermissionRequest', { decision: { behavior: 'allow' } }));
  wants(scene, tool('Bash', touch));

  const { text, isError } = await start(scene);

  expect(isError).toBe(true);
  expect(text).toContain('could answer requests in place of an approver');
  expect(exists(scene, 'a.txt')).toBe(false);
  expect(scene.model.requests()).toEqual([]);
});
