import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human, start, wants, writeTrustedSettings } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it('with human-only approvals, a rule of a trusted project does not let a session read outside its folders', async () => {
  const scene = await startScene({ era: 'modern', env: human });
  const outside = join(scene.sandbox.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'hidden words\n');
  writeTrustedSettings(scene, { permissions: { allow: ['Read(//**)'] } });
  wants(scene, tool('Read', { file_path: join(outside, 'secret.txt') }));

  const { json } = await start(scene);

  expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
});
