import { callText, keysOf, nothing, type Vocabulary } from '../shared/wording/vocabulary.js';
import { sandboxOf } from './options.js';

const names = keysOf(
  ['prompt', 'cwd', 'model', 'sandbox', 'resultOffset', 'nextOffset'],
  {
    sessionId: 'threadId',
    permissionMode: 'sandbox',
    systemPrompt: 'base-instructions',
  },
  { permissionMode: sandboxOf },
);

export const codexVocabulary: Vocabulary = {
  ...nothing,
  ...names,
  start: 'codex',
  startAgain: 'call codex again',
  reply: 'call codex-reply',
  replyTool: 'codex-reply',
  retry: 'call it again',
  whileChecking: () => 'while the call runs',
  read: {
    result: (threadId, resultOffset) => callText('codex-reply', { threadId, resultOffset }),
  },
};
