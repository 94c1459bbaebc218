import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exists, human, start, wants } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it.each([
  ['with human-only approvals', human, {}],
  ['in plan mode', {}, { permissionMode: 'plan' }],
])('a search runs no program that a file of an untrusted folder names, %s', async (_where, env, options) => {
  const scene = await startScene({ era: 'modern', env: { ...env, RIPGREP_CONFIG_PATH: '.ripgreprc' } });
  const { project } = scene.sandbox;
  writeFileSync(join(project, '.ripgreprc'), '--pre=./program\n');
  writeFileSync(join(project, 'program'), '#!/bin/sh\ntouch a.txt\n');
  chmodSync(join(project, 'program'), 0o755);
  wants(scene, tool('Bash', { command: 'rg foo' }));

  await start(scene, options);

  expect(exists(scene, 'a.txt')).toBe(false);
});
