import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ClaudeHome, resolveClaudeHome } from '../../../src/history/claude-home.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

export interface TempHome {
  readonly root: string;
  readonly claudeHome: ClaudeHome;
}

/** An empty folder with a Claude home in it, gone after the test. */
export function tempHome(): TempHome {
  const root = temporaryFolder();
  return { root, claudeHome: resolveClaudeHome({ home: join(root, 'home') }) };
}

export async function put(path: string, content: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}
