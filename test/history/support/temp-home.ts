import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ClaudeHome, resolveClaudeHome } from '../../../src/history/claude-home.js';

export interface TempHome {
  readonly root: string;
  readonly claudeHome: ClaudeHome;
}

/** An empty folder with a Claude home in it, gone after the test. */
export async function tempHome(): Promise<TempHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'history-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return { root, claudeHome: resolveClaudeHome({ home: join(root, 'home') }) };
}

export async function put(path: string, content: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}
