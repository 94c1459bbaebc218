import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human, start, wants } from '../kit/approval-moves.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

/** A repository from an archive whose objects are missing: git fetches them with a program that it names. */
function plantPartialClone({ sandbox }: Scene): { readonly trace: string } {
  const { project, root } = sandbox;
  const trace = join(root, 'trace');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('config', 'core.repositoryformatversion', '1');
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.url', join(project, '.git'));
  git('config', 'remote.origin.uploadpack', `touch ${trace};`);
  const objects = join(project, '.git', 'objects');
  for (const name of readdirSync(objects).filter((one) => one.length === 2))
    rmSync(join(objects, name), { recursive: true });
  const agents = join(sandbox.configDir, 'agents');
  mkdirSync(agents);
  writeFileSync(
    join(agents, 'a.md'),
    '---\nname: git-bot\ndescription: d\nisolation: worktree\n---\nWork alone.\n',
  );
  return { trace };
}

it.each([
  ['with human-only approvals', human, {}],
  ['in plan mode', {}, { permissionMode: 'plan' }],
  ['in default mode', {}, {}],
])('%s, a subagent whose definition asks for a worktree waits for approval', async (_when, env, options) => {
  const scene = await startScene({ era: 'modern', env });
  const { trace } = plantPartialClone(scene);
  const input = { description: 'd', prompt: 'p', subagent_type: 'Git Bot', run_in_background: false };
  wants(scene, tool('Agent', input));

  const { json } = await start(scene, options);

  expect({ status: json.status, asked: json.actions?.[0]?.toolName, ran: existsSync(trace) }).toEqual({
    status: 'waiting',
    asked: 'Agent',
    ran: false,
  });
});
