import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human } from '../kit/approval-moves.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';

/** On its default branch, `notes` is a link; on the branch that is checked out, it is a file. */
function cloneHostile({ sandbox }: Scene): void {
  const { root, project } = sandbox;
  const origin = join(root, 'origin');
  const git = (cwd: string, ...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  mkdirSync(origin);
  writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
  git(origin, 'init', '-q', '-b', 'main');
  execFileSync('ln', ['-s', join(root, 'secret.txt'), join(origin, 'notes')]);
  git(origin, 'add', '.');
  git(origin, 'commit', '-qm', 'one');
  git(project, 'clone', '-q', origin, '.');
  git(project, 'checkout', '-q', '-b', 'work');
  execFileSync('rm', [join(project, 'notes')]);
  writeFileSync(join(project, 'notes'), 'plain\n');
}

it.each(['agent-sdk', 'cli'])(
  "a command of the user's agent in its own worktree is judged there (%s)",
  async (backend) => {
    const env = { ...human, CLAUDE_CODE_MCP_BACKEND: backend };
    const scene = await startScene({ era: 'modern', env, capabilities: formCapability });
    const { server, model, sandbox } = scene;
    cloneHostile(scene);
    mkdirSync(join(sandbox.configDir, 'agents'));
    writeFileSync(
      join(sandbox.configDir, 'agents', 'worker.md'),
      '---\nname: worker\ndescription: works\nisolation: worktree\n---\nWork.\n',
    );
    const task = { subagent_type: 'worker', description: 'x', run_in_background: false };
    model.when('do it', [tool('Agent', { ...task, prompt: 'inner work' }), text('over')]);
    model.when('inner work', [tool('Bash', { command: 'cat notes' }), text('done')]);
    const person = seatPerson(server, async ({ message }) =>
      accept({ decision: message.includes('cat notes') ? 'deny' : 'allow' }),
    );

    const { json } = await server.call('claude_code', {
      prompt: 'do it',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
    expect(json).toMatchObject({ status: 'idle' });
    expect(person.forms.map(({ message }) => message.includes('cat notes'))).toEqual([false, true]);
  },
);
