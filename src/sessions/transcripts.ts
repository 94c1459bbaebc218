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

/** Reads Claude Code's transcript of the conversation, redacted. `session` is undefined if it is not known here. */
export async function readTranscript(
  id: SessionId,
  session: Session | undefined,
  page: PageRequest,
  settings: TranscriptSettings,
): Promise<MessagePage> {
  if (session?.view.isForeign !== false) refuseForeignReading(settings.policy);
  const path = session === undefined ? await foreignPath(id, settings) : await session.transcriptPath();
  if (path === undefined) {
    throw new AppError('conversation_missing', { sessionId: id });
  }
  const { messages, total } = await readMessages(path, page);
  return { messages: messages.map((message) => redacted(message, settings.redactor)), total };
}

/** Finds the transcript by its recorded folder, as a resume does. */
async function foreignPath(
  id: SessionId,
  { folders: { claudeHome, bounds } }: TranscriptSettings,
): Promise<string | undefined> {
  const folder = await findSessionFolder(claudeHome, id);
  if (folder === undefined) return undefined;
  if (!isWithinRoots(realPathOfNearest(folder), bounds)) {
    throw new AppError('session_outside_roots', { sessionId: id });
  }
  return findTranscript(claudeHome, id, folder);
}

/** Redacts the full message before it is truncated: half a secret is no longer recognised. */
function redacted(message: TranscriptMessage, redactor: Redactor): TranscriptMessage {
  return { ...message, text: redactor.redact(message.text), tools: redactor.redactValue(message.tools) };
}
