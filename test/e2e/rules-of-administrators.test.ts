import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { human, start, wants } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

/** The files of administrators lie outside the home folder, so Claude Code needs its own view of `/etc`. */
const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t overlay overlay -o lowerdir=/usr/share:/etc /etc'])
    .status === 0;

const require = createRequire(import.meta.url);

it.skipIf(!canMount)('a person is asked even if only the rules of an administrator apply', async () => {
  const backstage = await startBackstage();
  const { root, project } = backstage.sandbox;
  mkdirSync(join(root, 'etc', 'claude-code'), { recursive: true });
  writeFileSync(
    join(root, 'etc', 'claude-code', 'managed-settings.json'),
    JSON.stringify({ allowManagedPermissionRulesOnly: true }),
  );
  const claude = join(root, 'claude');
  const real = require.resolve(`@anthropic-ai/claude-agent-sdk-linux-${process.arch}/claude`);
  const mount = `mount -t overlay overlay -o lowerdir=${join(root, 'etc')}:/etc /etc`;
  writeFileSync(claude, `#!/bin/sh\nexec unshare -m sh -c '${mount} && exec "$0" "$@"' ${real} "$@"\n`, {
    mode: 0o755,
  });
  // The repository came as an archive: its configuration names a program that git starts.
  const trace = join(root, 'trace');
  execFileSync('git', ['init', '-q'], { cwd: project });
  execFileSync('git', ['config', 'core.fsmonitor', `touch ${trace}; false`], { cwd: project });
  const env = { ...human, CLAUDE_CODE_MCP_BACKEND: 'cli', CLAUDE_CODE_PATH: claude };
  const server = await connectServer({ ...backstage, era: 'modern', env });
  const scene = { ...backstage, server };
  wants(scene, tool('Bash', { command: 'git status' }));

  const { json } = await start(scene);
  await server.close();

  expect({ ran: existsSync(trace), status: json.status }).toEqual({ ran: false, status: 'waiting' });
});
