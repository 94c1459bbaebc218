import { serve, type ServedTool } from '../shared/define-tool.js';
import { claudeCodeCheck } from './check.js';
import { claudeCodeReply } from './reply.js';
import { claudeCodeRespond } from './respond.js';
import { claudeCodeSession } from './session/session.js';
import { claudeCode } from './start.js';
import { asyncVocabulary } from './wording/vocabulary.js';

/** Clients show them in this order. */
export const asyncTools: readonly ServedTool[] = serve(
  [claudeCode, claudeCodeReply, claudeCodeCheck, claudeCodeRespond, claudeCodeSession],
  asyncVocabulary,
);
