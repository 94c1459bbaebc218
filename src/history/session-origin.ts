import { isAbsolute } from 'node:path';
import { readCompleteLines } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';
import type { ClaudeHome } from './claude-home.js';
import { ownValue, parseJson } from '../core/json.js';
import { findTranscript } from './transcript.js';

/** The working directory is near the beginning, but a long prompt may precede it. Stops reading here. */
const headBytes = 16 * 1024 * 1024;

export interface SessionOrigin {
  /** The folder in which the session started. */
  readonly cwd: string;
  /** When its transcript last changed. */
  readonly modifiedAt: number;
}

/** Where a session on disk comes from. Undefined when no transcript exists or it names no folder. */
export async function findSessionOrigin(
  claudeHome: ClaudeHome,
  claudeSessionId: string,
): Promise<SessionOrigin | undefined> {
  const path = await findTranscript(claudeHome, claudeSessionId);
  if (path === undefined) return undefined;
  const handle = await openRegularFile(path);
  try {
    const { size, mtimeMs } = await handle.stat();
    for await (const line of readCompleteLines(handle, 0, Math.min(size, headBytes))) {
      const cwd = ownValue(parseJson(line), 'cwd');
      if (typeof cwd === 'string' && isAbsolute(cwd)) return { cwd, modifiedAt: mtimeMs };
    }
    return undefined;
  } finally {
    await handle.close();
  }
}
