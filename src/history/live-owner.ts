import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaudeHome } from './claude-home.js';
import { ownValue, readJsonFile } from './json-file.js';

export interface LiveOwnerQuestion {
  readonly claudeHome: ClaudeHome;
  readonly claudeSessionId: string;
  /** Claude Code processes of this server: they stand in the same registry. */
  readonly ownPids: ReadonlySet<number>;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
}

/** The process outside this server that has the session open now, by Claude Code's registry of live sessions. */
export async function findLiveOwner(question: LiveOwnerQuestion): Promise<{ pid: number } | undefined> {
  const { claudeHome, claudeSessionId, ownPids, startTimeOf } = question;
  const names = await readdir(claudeHome.sessionsDir).catch(() => []);
  for (const name of names) {
    // The `.key` files beside the entries hold tokens that are none of our business.
    if (!name.endsWith('.json')) continue;
    const entry = await readJsonFile(join(claudeHome.sessionsDir, name));
    const pid = ownValue(entry, 'pid');
    if (ownValue(entry, 'sessionId') !== claudeSessionId) continue;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1 || ownPids.has(pid)) continue;
    if (isSameStart(entry, await startTimeOf(pid))) return { pid };
  }
  return undefined;
}

/** A killed process leaves its entry behind, and its pid may be somebody else's by now. */
function isSameStart(entry: unknown, startTime: string | undefined): boolean {
  // procStartFt is the same thing on Windows. An entry without either cannot be refuted: Claude Code, too, takes it
  // for alive, and overlooking a live owner loses one of the two conversations.
  const recorded = ownValue(entry, 'procStartFt') ?? ownValue(entry, 'procStart');
  return startTime !== undefined && (recorded === undefined || recorded === startTime);
}
