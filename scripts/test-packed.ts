/**
 * Packs the build, installs it elsewhere, and runs end-to-end tests against the installed server. Arguments select tests,
 * as for vitest. Needs `npm run build`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../test/kit/installed-package.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ccm-packed-'));
try {
  const modules = join(installPackage(folder), 'node_modules');
  // The optional dependencies of this checkout, instead of another download.
  for (const name of ['@anthropic-ai', 'prom-client'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'real', ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_SERVER_ENTRY: join(modules, '.bin', 'mcp-server-claude-code') },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
