import * as z from 'zod';
import { defineOptions } from './define.js';

/** What remains on disk after the process exits. */
export const keepingOptions = defineOptions({
  persistSession: {
    schema: z.boolean(),
    place: 'advanced',
    words: 'false: no transcript, no resume',
    long: 'Whether Claude Code writes a transcript. Without one, the session ends when its process exits, and a reply cannot change its options. Default: true.',
  },
  enableFileCheckpointing: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether Claude Code keeps copies of the files it changes. `claude_code_session` with action `rewind` restores them. Default: false.',
  },
});
