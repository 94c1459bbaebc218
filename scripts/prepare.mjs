import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// `npm ci` alone must leave a server that starts.
run('node', ['scripts/build.mjs']);
// Hooks are for people: not on CI, and not in a copy without git.
if (existsSync('.git') && process.env['CI'] === undefined) run('npx', ['lefthook', 'install']);

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
