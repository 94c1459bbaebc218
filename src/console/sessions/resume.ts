import { oneLine } from '../../core/text/escape.js';
import { CommandFailure } from '../terminal/failure.js';
import type { DiskOnlySession, Owners, RecordedSession } from './kept-sessions.js';
import { idChars } from './list.js';

/** A Claude Code that takes a session over. */
export interface Takeover {
  readonly folder: string;
  readonly claudeSessionId: string;
}

/** Refuses while anything works on the session: two programs must not write to one conversation. */
export function takeoverOf(
  { record, serverPid }: Pick<RecordedSession, 'record' | 'serverPid'>,
  { claudePid }: Owners,
): Takeover {
  const { sessionId, claudeSessionId, options } = record;
  const shortId = sessionId.slice(0, idChars);
  if (serverPid !== undefined && record.status === 'waiting')
    throw new CommandFailure(
      `The session is waiting for an answer in the server with process id ${serverPid}. Answer in your client or on the page (claude-code-mcp open), or interrupt the session there.`,
    );
  if (serverPid !== undefined)
    throw new CommandFailure(
      `The session is ${record.status} in the server with process id ${serverPid}. Wait until its turn ends (claude-code-mcp watch ${shortId}), or interrupt it in your client or on the page (claude-code-mcp open).`,
    );
  if (!options.persistSession)
    throw new CommandFailure(
      'The session was started with persistSession: false, so there is no conversation to resume.',
    );
  if (claudePid !== undefined) throw openElsewhere(claudePid);
  return { folder: options.cwd, claudeSessionId };
}

export function diskTakeoverOf(
  claudeSessionId: string,
  { cwd }: Pick<DiskOnlySession, 'cwd'>,
  { claudePid }: Owners,
): Takeover {
  if (claudePid !== undefined) throw openElsewhere(claudePid);
  return { folder: cwd, claudeSessionId };
}

function openElsewhere(pid: number): CommandFailure {
  return new CommandFailure(
    `Another Claude Code (process ${pid}) has the session open. Close it there, or continue there.`,
  );
}

export function goneFolder(folder: string): CommandFailure {
  return new CommandFailure(
    `The folder of the session is gone: ${oneLine(folder, 300)}. Claude Code can resume a session only in its folder.`,
  );
}
