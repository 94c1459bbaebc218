import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { writeUserSettings } from '../kit/approval-moves.js';
import { startBackstage, type Scene } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

/** A project with a link to a folder outside, in which a secret lies. */
async function boundedScene(backend: 'agent-sdk' | 'cli'): Promise<Scene> {
  const { model, sandbox } = await startBackstage();
  const { project, root } = sandbox;
  const outside = join(root, 'outside');
  for (const folder of [outside, join(project, 'src'), join(project, 'linked')]) mkdirSync(folder);
  writeFileSync(join(outside, 'secret.txt'), 'hidden words\n');
  symlinkSync(join(outside, 'secret.txt'), join(project, 'linked', 'link.txt'));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(project, 'src', name), `foo ${name}\n`);
  writeFileSync(join(project, 'list'), `${join(outside, 'secret.txt')}\n`);
  execFileSync('git', ['init', '-q'], { cwd: project });
  const env = {
    CLAUDE_CODE_MCP_ROOTS: project,
    CLAUDE_CODE_MCP_APPROVALS: 'any',
    CLAUDE_CODE_MCP_BACKEND: backend,
  };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());
  const scene = { model, sandbox, server };
  writeUserSettings(scene, { permissions: { allow: ['Bash(node -p *)', 'Bash(diff *)'] } });
  return scene;
}

/** Runs the commands in one session and denies every request; returns the commands that were asked about. */
async function denied(scene: Scene, commands: readonly string[]): Promise<unknown[]> {
  const asked = await askedCommands(scene, commands, { advanced: { tools: ['Bash'] } });
  expect(JSON.stringify(scene.model.requests().map(({ body }) => body))).not.toContain('hidden words');
  return asked;
}

const secretive = [
  'cat list | xargs head',
  'wc --files0-from=list',
  'du -X list .',
  'sort --files0-from=list',
  'sort --random-source=../outside/secret.txt -R list',
  'diff --from-file=../outside/secret.txt list',
  'diff -r linked src',
  'diff linked src',
  'git blame list',
  'git blame --ignore-revs-file=../outside/secret.txt list',
  'git ls-files -o -X ../outside/secret.txt',
  'git grep --no-index -h . linked',
  'git diff -U ../outside/secret.txt list',
  'git diff -O../outside/secret.txt',
  'strings @list',
  'grep -R . linked',
  'grep -f list list',
  'rg -L . linked',
  'cat linked/*',
  'head linked/l*.txt',
  'find -L linked -name "*.txt"',
  'file -f list',
  'date -f ../outside/secret.txt',
  'tree -l',
  'cat "$PWD/linked/link.txt"',
  'timeout 5 cat ../outside/secret.txt',
  'cd linked && cat link.txt',
];

const harmless = [
  'ls -la',
  'pwd',
  'grep -n foo src/a.ts',
  // These find links, but do not follow them.
  'du -a linked',
  'tree -a',
  'cat src/a.ts | head -50',
  'sort src/a.ts | uniq -c',
  'echo done',
  // A rule of the user allows it.
  'node -p 1 2>&1 | tail -1',
];

/** These read only inside, but are not plain sentences. */
const unclear = [
  'wc -l src/*',
  'ls -lR',
  'grep -rn foo src',
  'grep -rn "foo" src',
  "find . -name '*.ts'",
  'cd src',
  'diff src/a.ts src/b.ts 2>/dev/null',
  'git grep -n foo',
  'git status',
  'git log --oneline -5',
  'git diff',
  'git ls-files -o',
];

describe.each(['agent-sdk', 'cli'] as const)('where reading is bounded, the %s backend', (backend) => {
  it('asks about every command that could read elsewhere or is not plain, and runs the plain ones', async () => {
    const scene = await boundedScene(backend);

    const asked = await denied(scene, [...harmless, ...secretive, ...unclear]);

    expect(asked).toEqual([...secretive, ...unclear]);
  });
});
