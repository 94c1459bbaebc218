import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start, wants } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';

it('a trusted folder does not run hooks of the repository around it, unless that is trusted, too', async () => {
  const scene = await startScene({ era: 'modern' });
  const { sandbox } = scene;
  const { project, root } = sandbox;
  const [cwd, trace] = [join(project, 'sub'), join(root, 'hook-ran')];
  execFileSync('git', ['init'], { cwd: project, stdio: 'ignore' });
  for (const path of [cwd, join(project, '.claude')]) mkdirSync(path, { recursive: true });
  const hook = { type: 'command', command: `touch ${trace}` };
  const settings = { hooks: { SessionStart: [{ hooks: [hook] }] } };
  const file = join(project, '.claude', 'settings.local.json');
  writeFileSync(file, JSON.stringify(settings));
  wants(scene);

  sandbox.trustFolder(cwd);
  const { json } = await start(scene, { cwd });
  const isRunBefore = existsSync(trace);
  sandbox.trustFolder(project);
  await start(scene, { cwd });

  expect(json).toMatchObject({ status: 'idle', projectSettings: expect.stringContaining(file) as unknown });
  expect([isRunBefore, existsSync(trace)]).toEqual([false, true]);
});
