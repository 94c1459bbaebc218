import { relative } from 'node:path';
import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isReading } from './file-rules.js';

export interface RecordFacts {
  /** Where Claude Code stores its transcripts, plans, memory and settings. */
  readonly claudeDir: string;
  /** Claude Code's id of the session, if it may not read the records of others without approval. */
  readonly ownSession?: string | undefined;
}

/**
 * Why reading needs approval although Claude Code would not ask: it lets a session read the transcripts and tool results
 * of all sessions in the same folder, those of the user's terminal included.
 */
export function otherSessionReason(
  { toolName, input, permissionMode, targets }: JudgedCall,
  { claudeDir, ownSession }: RecordFacts,
): string | undefined {
  if (ownSession === undefined || permissionMode === 'bypassPermissions') return undefined;
  if (!isReading(toolName) && typeof input['command'] !== 'string') return undefined;
  return targets.some((target) => isOfOther(target, ownSession, claudeDir))
    ? 'This reads what Claude Code stored about other sessions'
    : undefined;
}

function isOfOther({ real }: Target, own: string, claudeDir: string): boolean {
  const ofTask = temporary.exec(real)?.[1];
  if (ofTask !== undefined) return ofTask !== own;
  if (!isInside(real, claudeDir)) return false;
  const [kind, first, second] = relative(claudeDir, real).split(/[\\/]/);
  // The sessions of a team share its messages.
  if (kind === 'teams') return true;
  if (kind === 'tasks') return first !== own;
  // The memory belongs to the folder, not to a session.
  return kind === 'projects' && second !== 'memory' && second !== own && second !== `${own}.jsonl`;
}

/** Output of background tasks, and notes: `/tmp/claude-1000/-home-ann-app/<session>/…`. */
const temporary = /[\\/]claude-\d+[\\/][^\\/]+[\\/]([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[\\/]|$)/;
