import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ActionJson } from '../kit/answer-json.js';
import { any, exists, start } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const append = { command: 'echo x >> notes.md' };
const change = { command: 'git checkout -q other && touch changed.txt' };

it('an approval does not count for a link that appeared after the request was shown', async () => {
  const scene = await startScene({ era: 'modern', env: any });
  const { server, model, sandbox } = scene;
  const outside = join(sandbox.home, '.bash_login');
  commitLink(sandbox.project, 'other', outside);
  const agent = { description: 'notes', prompt: 'append it', subagent_type: 'general-purpose' };
  model.when('append it', [tool('Bash', append), text('appended')]);
  model.when('do it', [tool('Agent', agent), tool('Bash', change), text('over')]);
  const { json } = await start(scene, { waitMs: 0 });
  const both = await until('both requests are open', async () => {
    const { json: now } = await server.call('claude_code_check', {
      sessionId: json.sessionId,
      waitMs: 500,
    });
    return now.actions?.length === 2 && now.actions;
  });
  await server.call('claude_code_respond', { ...allow(both, change), waitMs: 0 });
  await until('the branch has changed', () => exists(scene, 'changed.txt'));

  const refused = await server.call('claude_code_respond', { ...allow(both, append), waitMs: 0 });
  const { json: again } = await server.call('claude_code_check', { sessionId: json.sessionId, waitMs: 0 });

  expect(refused.text).toContain('nothing was approved');
  expect(again.actions).toMatchObject([{ input: append, leadsTo: expect.stringContaining('.bash_login') }]);
  expect(existsSync(outside)).toBe(false);
});

function allow(actions: readonly ActionJson[], input: typeof append): Record<string, unknown> {
  const action = actions.find((one) => (one.input as Partial<typeof append>).command === input.command);
  // What the approver reads names no link.
  expect(action).not.toHaveProperty('leadsTo');
  return { requestId: action?.requestId, decision: 'allow' };
}

function commitLink(folder: string, branch: string, target: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', branch);
  symlinkSync(target, join(folder, 'notes.md'));
  git('add', '.');
  git('commit', '-qm', 'two');
  git('checkout', '-q', 'main');
}
