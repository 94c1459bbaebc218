import { callText, keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

const names = keysOf(
  [
    'prompt',
    'attachments',
    'maxTurns',
    'cwd',
    'model',
    'permissionMode',
    'allowedTools',
    'disallowedTools',
    'timeoutMs',
    'sandbox',
    'sessionId',
    'resultOffset',
    'messageOffset',
    'messageId',
    'nextOffset',
  ],
  { systemPrompt: 'appendSystemPrompt' },
);

/** A query runs to its end in one call. Continuing its session takes the async toolset, if it is served. */
export function queryVocabulary(async: Vocabulary | undefined): Vocabulary {
  return {
    ...nothing,
    ...names,
    start: 'claude_code_query',
    startAgain: 'run the query again',
    reply: async && 'call claude_code_reply',
    replyTool: async?.replyTool,
    retry: 'run the query again',
    check: async?.check,
    whileChecking: () => 'while the query runs',
    list: async?.list,
    messageIds: 'a call with messageOffset',
    read: {
      result: (sessionId, resultOffset) => callText('claude_code_query', { sessionId, resultOffset }),
      messages: (sessionId) => callText('claude_code_query', { sessionId, messageOffset: 0 }),
      message: (sessionId, messageId) => callText('claude_code_query', { sessionId, messageId }),
    },
    startLimits: ['maxTurns', 'timeoutMs'],
  };
}
