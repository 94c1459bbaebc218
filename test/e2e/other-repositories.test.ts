import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { startBackstage } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

const commands = ['git diff', 'git show'];

/** What an unpacked archive can contain. */
const leads: readonly (readonly [string, (project: string, other: string) => void])[] = [
  ['a file', (project, other) => writeFileSync(join(project, '.git'), `gitdir: ${join(other, '.git')}\n`)],
  [
    'links below .git',
    (project, other) => {
      run(project, 'init', '-q');
      rmSync(join(project, '.git', 'refs', 'heads'), { recursive: true });
      symlinkSync(join(other, '.git', 'refs', 'heads'), join(project, '.git', 'refs', 'heads'));
      const [from, to] = [join(other, '.git', 'objects'), join(project, '.git', 'objects')];
      for (const name of readdirSync(from).filter((one) => one.length === 2))
        symlinkSync(join(from, name), join(to, name));
    },
  ],
  [
    'a submodule',
    (project, other) => {
      const sub = join(project, 'sub');
      mkdirSync(sub);
      run(project, 'init', '-q');
      run(sub, 'init', '-q');
      run(sub, 'commit', '-q', '--allow-empty', '-m', 'one');
      run(project, 'add', 'sub');
      run(project, 'commit', '-qm', 'one');
      run(project, 'config', 'diff.submodule', 'diff');
      run(sub, 'config', 'core.worktree', other);
      run(sub, 'add', '-N', 'secret.txt');
    },
  ],
  [
    'a folder above, where git passes over .git',
    (project) => {
      run(join(project, '..'), 'init', '-q');
      writeFileSync(join(project, '..', 'secret.txt'), 'hidden words\n');
      run(join(project, '..'), 'add', 'secret.txt');
      run(join(project, '..'), 'commit', '-qm', 'one');
      mkdirSync(join(project, '.git'));
      writeFileSync(join(project, '.git', 'config'), '');
    },
  ],
];

function run(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' });
}

it.each(leads)('where reading is bounded, git shows no other files through %s', async (_how, lead) => {
  const { model, sandbox } = await startBackstage();
  const { project, root } = sandbox;
  const other = join(root, 'other');
  mkdirSync(other);
  run(other, 'init', '-q');
  writeFileSync(join(other, 'secret.txt'), 'hidden words\n');
  run(other, 'add', '.');
  run(other, 'commit', '-qm', 'one');
  lead(project, other);
  const env = {
    CLAUDE_CODE_MCP_ROOTS: project,
    CLAUDE_CODE_MCP_APPROVALS: 'any',
    CLAUDE_CODE_MCP_BACKEND: 'agent-sdk',
  };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());

  const asked = await askedCommands({ model, sandbox, server }, commands);

  expect(asked).toEqual(commands);
  expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
});
