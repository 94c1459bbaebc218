import { keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';

const names = keysOf(
  [
    'prompt',
    'maxTurns',
    'cwd',
    'model',
    'permissionMode',
    'allowedTools',
    'disallowedTools',
    'timeoutMs',
    'sandbox',
    'sessionId',
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
    retry: 'run the query again',
    check: async?.check,
    whileChecking: 'while the query runs',
    list: async?.list,
    transcript: async?.transcript,
    startLimits: ['maxTurns', 'timeoutMs'],
  };
}
