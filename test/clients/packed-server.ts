/** Packs the server once for all clients, and lets npx unpack it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../kit/installed-package.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts the server in an environment with `npmCache` as npm's cache. */
    readonly server: readonly [command: string, ...args: string[]];
    readonly npmCache: string;
  }
}

export default function pack(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ccm-clients-'));
  const npmCache = join(folder, 'cache');
  const command = 'npx';
  const options = ['--yes', '--offline', '--omit=optional', `--package=${packPackage(folder)}`];
  const args = [...options, 'mcp-server-claude-code'];
  execFileSync(command, [...args, '--version'], { env: { ...process.env, npm_config_cache: npmCache } });
  project.provide('server', [command, ...args]);
  project.provide('npmCache', npmCache);
  return () => rmSync(folder, { recursive: true });
}
