import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { TranscriptMessage } from '../history/message-line.js';
import { readMessages, type MessagePage, type PageRequest } from '../history/messages.js';
import { findSessionFolder } from '../history/session-origin.js';
import { findTranscript } from '../history/transcript.js';
import { isWithinRoots } from '../policy/folders.js';
import { refuseForeignReading } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import { realPathOfNearest } from '../files/real-path.js';
import type { FolderSettings } from './options/folder-facts.js';
import type { Session } from '../session/session.js';

export interface TranscriptSettings {
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly redactor: Redactor;
}

/** The conversation as Claude Code has it on disk, without its secrets. `session` is undefined for one that is not known here. */
export async function readTranscript(
  id: SessionId,
  session: Session | undefined,
  page: PageRequest,
  settings: TranscriptSettings,
): Promise<MessagePage> {
  if (session?.isForeign !== false) refuseForeignReading(settings.policy);
  const path = session === undefined ? await foreignPath(id, settings) : await session.conversation.path();
  if (path === undefined) {
    throw new AppError('SESSION_NOT_FOUND', `no conversation of session ${id} is on disk`, {
      hint: 'Call claude_code_session with action "list", and use a session that has finished a turn.',
    });
  }
  const { messages, total } = await readMessages(path, page);
  return { messages: messages.map((message) => redacted(message, settings.redactor)), total };
}

/** By the folder that it has on record, as a resume would take it. */
async function foreignPath(
  id: SessionId,
  { folders: { claudeHome, bounds } }: TranscriptSettings,
): Promise<string | undefined> {
  const folder = await findSessionFolder(claudeHome, id);
  if (folder === undefined) return undefined;
  if (!isWithinRoots(realPathOfNearest(folder), bounds)) {
    throw new AppError(
      'PERMISSION_DENIED',
      `session ${id} belongs to a folder outside those of this server`,
      {
        hint: 'Use a session of a folder in CLAUDE_CODE_MCP_ROOTS; CLAUDE_CODE_MCP_HISTORY=read reaches no further.',
      },
    );
  }
  return findTranscript(claudeHome, id, folder);
}

/** Whole, before anybody shortens it: half a secret is no longer recognised. */
function redacted(message: TranscriptMessage, redactor: Redactor): TranscriptMessage {
  return { ...message, text: redactor.redact(message.text), tools: redactor.redactValue(message.tools) };
}
