import { expect, it } from 'vitest';
import { exists, human, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

/** Makes Claude Code run no hooks. */
const simple = { CLAUDE_CODE_SIMPLE: '1' };

it('a command waits for approval although the settings of the user turn off hooks', async () => {
  const scene = await startScene({ era: 'modern', env: human });
  writeUserSettings(scene, { env: simple, permissions: { allow: ['Bash'] } });
  wants(scene, tool('Bash', touch));

  const { json } = await start(scene);

  expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  expect(exists(scene, 'a.txt')).toBe(false);
});
