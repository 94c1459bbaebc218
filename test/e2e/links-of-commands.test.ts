import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { any, start, wants } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it('a request for a command says where links lead, even if the command names none of them', async () => {
  const scene = await startScene({ era: 'modern', env: any });
  const { project, root } = scene.sandbox;
  const secret = join(root, 'secret.txt');
  writeFileSync(secret, 'hidden words\n');
  mkdirSync(join(project, 'sub'));
  symlinkSync(secret, join(project, 'sub', 'notes'));
  wants(scene, tool('Bash', { command: 'cd sub; ls | xargs cat' }));

  const { json } = await start(scene, { permissionMode: 'plan' });

  expect(json.actions).toMatchObject([{ toolName: 'Bash', leadsTo: `\`${secret}\`` }]);
});
