import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reviewedPlan } from '../../../src/session/approval/reviewed-plan.js';
import { plainAsk } from '../../kit/fake-backend.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function prepare() {
  const claudeDir = temporaryFolder();
  mkdirSync(join(claudeDir, 'plans'));
  writeFileSync(join(claudeDir, 'plans', 'one.md'), 'Delete it all.');
  writeFileSync(join(claudeDir, 'secret'), 'a secret');
  symlinkSync(join(claudeDir, 'secret'), join(claudeDir, 'plans', 'link.md'));
  const reviewOf = (planFilePath: unknown, kind: 'plan_review' | 'permission' = 'plan_review') =>
    reviewedPlan({ ...plainAsk, kind, input: { plan: 'Touch a file.', planFilePath } }, claudeDir)['plan'];
  return { plans: join(claudeDir, 'plans'), reviewOf };
}

it('is the plan on disk, which is the one that Claude Code carries out', () => {
  const { plans, reviewOf } = prepare();

  expect(reviewOf(join(plans, 'one.md'))).toBe('Delete it all.');
});

it('is the plan that was sent if there is no file of a plan', () => {
  const { plans, reviewOf } = prepare();

  expect([
    reviewOf(join(plans, 'missing.md')),
    reviewOf(join(plans, 'link.md')),
    reviewOf(join(plans, '..', 'secret')),
    reviewOf(undefined),
    reviewOf(join(plans, 'one.md'), 'permission'),
  ]).toEqual(Array.from({ length: 5 }, () => 'Touch a file.'));
});
