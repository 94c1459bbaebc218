import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createArgvLog, valueOf } from '../kit/argv-log.js';
import { start } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

const restrictions = { denyRead: ['~/.ssh'], denyWrite: ['/srv'] };
const settings = { sandbox: { enabled: true, filesystem: restrictions } };

it('a caller that leaves out local settings keeps the sandbox that they turn on for a worktree', async () => {
  const { model, sandbox } = await startBackstage();
  const { project, root } = sandbox;
  const git = (...args: string[]): void => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];
    execFileSync('git', [...author, ...args], { cwd: project, stdio: 'ignore' });
  };
  git('init');
  git('commit', '--allow-empty', '-m', 'x');
  git('worktree', 'add', '../worktree');
  mkdirSync(join(project, '.claude'));
  writeFileSync(join(project, '.claude', 'settings.local.json'), JSON.stringify(settings));
  const cwd = join(root, 'worktree');
  for (const folder of [project, cwd]) sandbox.trustFolder(folder);
  const log = createArgvLog(join(root, 'wrapper'));
  const env = { CLAUDE_CODE_PATH: log.executable };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());

  await start({ model, sandbox, server }, { cwd, advanced: { settingSources: ['user'] } });

  const passed = log.launches().map((argv) => JSON.parse(valueOf(argv, 'settings') ?? '{}') as unknown);
  expect(passed).toMatchObject([
    { sandbox: { enabled: true, failIfUnavailable: true, filesystem: restrictions } },
  ]);
});
