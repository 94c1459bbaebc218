import type { Dirent } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaudeHome } from './claude-home.js';
import { ownValue } from '../core/json.js';
import { someEntriesInSync } from '../files/folder-names.js';
import { readJsonFile } from '../files/json-file.js';

/** An entry has less than a kibibyte. */
const maxEntryBytes = 16_384;
const maxEntries = 500;
/** Lists ask often, and to date hundreds of thousands of files takes seconds. A machine has some hundred entries. */
const maxDated = 4_000;
/** Names are read much faster. Beside an entry, there can be other files. */
const maxNames = 20_000;

export interface LiveOwnersQuestion {
  readonly claudeHome: ClaudeHome;
  readonly claudeSessionIds: ReadonlySet<string>;
  /** The Claude Code processes of this server, which appear in the same registry. */
  readonly ownPids: ReadonlySet<number>;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
}

export interface LiveOwnerQuestion extends Omit<LiveOwnersQuestion, 'claudeSessionIds'> {
  readonly claudeSessionId: string;
}

/** The process outside this server that has the session open, according to Claude Code's registry of live sessions. */
export async function findLiveOwner({
  claudeSessionId,
  ...question
}: LiveOwnerQuestion): Promise<{ pid: number } | undefined> {
  const owners = await findLiveOwners({ ...question, claudeSessionIds: new Set([claudeSessionId]) });
  const pid = owners.get(claudeSessionId);
  return pid === undefined ? undefined : { pid };
}

/** The same for several sessions, with a single read of the registry. Maps session ids to pids. */
export async function findLiveOwners(question: LiveOwnersQuestion): Promise<ReadonlyMap<string, number>> {
  const { claudeHome, claudeSessionIds, ownPids, startTimeOf } = question;
  const owners = new Map<string, number>();
  for (const path of await entryFiles(claudeHome)) {
    const entry = await readJsonFile(path, { limitBytes: maxEntryBytes });
    const pid = ownValue(entry, 'pid');
    const sessionId = ownValue(entry, 'sessionId');
    if (typeof sessionId !== 'string' || !claudeSessionIds.has(sessionId) || owners.has(sessionId)) continue;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1 || ownPids.has(pid)) continue;
    if (isSameStart(entry, await startTimeOf(pid))) owners.set(sessionId, pid);
  }
  return owners;
}

/** The newest entries: a session that is open was opened recently, and the folder could hold any number of files. */
async function entryFiles({ sessionsDir }: ClaudeHome): Promise<readonly string[]> {
  // The `.key` files next to the entries contain tokens. We never read them.
  const paths = entriesOf(sessionsDir)
    .filter(({ name }) => name.endsWith('.json'))
    .slice(0, maxDated)
    .map(({ name }) => join(sessionsDir, name));
  if (paths.length <= maxEntries) return paths;
  const dated: (readonly [path: string, changedAt: number])[] = [];
  for (const path of paths) dated.push([path, (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0]);
  return dated
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxEntries)
    .map(([path]) => path);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return someEntriesInSync(folder, folder, maxNames).entries;
  } catch {
    return [];
  }
}

/** A killed process leaves its entry behind, and its pid may have been reused. */
function isSameStart(entry: unknown, startTime: string | undefined): boolean {
  // procStartFt is the same on Windows. An entry with neither counts as alive, as in Claude Code itself: missing a live
  // owner would lose one of the two conversations.
  const recorded = ownValue(entry, 'procStartFt') ?? ownValue(entry, 'procStart');
  return startTime !== undefined && (recorded === undefined || recorded === startTime);
}
