import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// After `npm ci` the server must be ready to start.
run('node', ['scripts/build.mjs']);
// Git hooks are useless on CI or in a copy without git.
if (existsSync('.git') && process.env['CI'] === undefined) run('npx', ['lefthook', 'install']);

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
