import { serve, type ServedTool } from '../shared/define-tool.js';
import { claudeCreateSession } from './create-session.js';
import { claudeGetStatus } from './get-status.js';
import { claudeInterrupt } from './interrupt.js';
import { claudeListSessions } from './list-sessions.js';
import { claudeRespond } from './respond.js';
import { claudeSendMessage } from './send-message.js';
import { sessionsVocabulary } from './vocabulary.js';

/** Clients show them in this order. */
export const sessionsTools: readonly ServedTool[] = serve(
  [
    claudeCreateSession,
    claudeSendMessage,
    claudeGetStatus,
    claudeRespond,
    claudeInterrupt,
    claudeListSessions,
  ],
  sessionsVocabulary,
);
