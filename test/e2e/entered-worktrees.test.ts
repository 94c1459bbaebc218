import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { any, start, wants } from '../kit/approval-moves.js';
import { startBackstage, type Scene } from '../kit/fixture.js';
import { tool, type ScriptStep } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

/** A project with a worktree beside it, in which a secret lies, and another folder. */
async function prepare({ isBounded }: { isBounded: boolean }): Promise<{
  scene: Scene;
  worktree: string;
  other: string;
}> {
  const { model, sandbox } = await startBackstage();
  const { project, root } = sandbox;
  const worktree = join(root, 'beside');
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('worktree', 'add', '-q', worktree);
  writeFileSync(join(worktree, 'secret.txt'), 'hidden words\n');
  const other = join(root, 'other');
  mkdirSync(other);
  const roots = [project, other].join(delimiter);
  const env = { ...any, ...(isBounded ? { CLAUDE_CODE_MCP_ROOTS: roots } : {}) };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());
  return { scene: { model, sandbox, server }, worktree, other };
}

/** Lets the session enter the worktree, and denies all requests after the allowed ones. Returns tools and reasons. */
async function askedIn(
  scene: Scene,
  worktree: string,
  steps: readonly ScriptStep[],
  { allowed = 1, advanced = {} } = {},
): Promise<unknown[]> {
  wants(scene, tool('EnterWorktree', { path: worktree }), ...steps);
  let { json } = await start(scene, { permissionMode: 'acceptEdits', advanced });
  const asked: unknown[] = [];
  while (json.status === 'waiting' && asked.length <= steps.length) {
    const [action] = json.actions ?? [];
    asked.push([action?.toolName, (action as { reason?: string } | undefined)?.reason]);
    ({ json } = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: asked.length <= allowed ? 'allow' : 'deny',
      waitMs: 20_000,
    }));
  }
  expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
  return asked;
}

const entering = [
  'EnterWorktree',
  'This moves the session into another worktree. There, Claude reads and edits as in its own folder and, if the session loads project files, follows instructions such as CLAUDE.md',
];

it('a session that has entered a worktree beside its folder asks about hidden folders there', async () => {
  const { scene, worktree } = await prepare({ isBounded: false });
  const files = ['a.txt', '.newagent/a.json'].map((name) => join(worktree, name));

  const asked = await askedIn(scene, worktree, [
    tool('Bash', { command: 'mkdir src && cd src' }),
    ...files.map((file) => tool('Write', { file_path: file, content: 'x' })),
  ]);

  expect(asked.filter((one) => (one as unknown[])[0] !== 'Bash')).toEqual([
    entering,
    ['Write', 'This file is in a hidden folder, from which other tools may start programs'],
  ]);
  expect(files.map((file) => existsSync(file))).toEqual([true, false]);
});

it('where reading is bounded, a session that has entered a worktree elsewhere asks about each file there', async () => {
  const { scene, worktree } = await prepare({ isBounded: true });
  const outside = "This path is outside the session's folders";

  const asked = await askedIn(scene, worktree, [
    tool('Read', { file_path: join(worktree, 'secret.txt') }),
    tool('Bash', { command: 'cat secret.txt' }),
    tool('Write', { file_path: join(worktree, 'a.txt'), content: 'x' }),
  ]);

  expect(asked).toEqual([entering, ...['Read', 'Bash', 'Write'].map((toolName) => [toolName, outside])]);
  expect(JSON.stringify(scene.model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
});

it('where reading is bounded, a session that has entered a worktree asks about its files from elsewhere, too', async () => {
  const { scene, worktree, other } = await prepare({ isBounded: true });

  const asked = await askedIn(
    scene,
    worktree,
    [
      tool('Bash', { command: `cd ${other}` }),
      tool('Bash', { command: 'true' }),
      tool('Read', { file_path: join(worktree, 'secret.txt') }),
    ],
    { allowed: 2, advanced: { additionalDirectories: [other] } },
  );

  expect(asked).toEqual([
    entering,
    ['Bash', 'This command can read files that it does not name'],
    ['Read', "This path is outside the session's folders"],
  ]);
  expect(JSON.stringify(scene.model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
});
