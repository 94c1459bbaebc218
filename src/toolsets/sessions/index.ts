import type { Tool } from '../shared/define-tool.js';
import { claudeCreateSession } from './create-session.js';
import { claudeGetStatus } from './get-status.js';
import { hintWords } from './hint-words.js';
import { claudeInterrupt } from './interrupt.js';
import { claudeListSessions } from './list-sessions.js';
import { claudeRespond } from './respond.js';
import { claudeSendMessage } from './send-message.js';

/** In the order in which clients show them. */
export const sessionsTools: readonly Tool[] = [
  claudeCreateSession,
  claudeSendMessage,
  claudeGetStatus,
  claudeRespond,
  claudeInterrupt,
  claudeListSessions,
].map((tool) => ({ ...tool, hintWords }));
