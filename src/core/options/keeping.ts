import * as z from 'zod';
import { defineOptions } from './define.js';

/** What stays after the process. */
export const keepingOptions = defineOptions({
  persistSession: {
    schema: z.boolean(),
    place: 'advanced',
    words: 'false: nothing on disk, ends with its process',
    long: 'Whether Claude Code writes a transcript. Without one the session ends when its process does. Default: true.',
  },
  enableFileCheckpointing: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether Claude Code keeps copies of the files it changes, so that `claude_code_session` with action `rewind` can restore them. Default: false.',
  },
});
