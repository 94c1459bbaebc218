import * as z from 'zod';
import { defineOptions } from './define.js';

const folder = z.string().min(1).max(4096);

/** Where a session works and whose settings it reads. */
export const placeOptions = defineOptions({
  cwd: {
    schema: folder,
    place: 'top',
    words: 'Absolute path of the working folder',
    long: "The session's working folder, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder. `/`, a drive root and the home folder are refused.",
  },
  additionalDirectories: {
    schema: z.array(folder).max(20),
    place: 'advanced',
    long: 'More folders Claude may work in. Each must exist. Default: none.',
  },
  settingSources: {
    schema: z.array(z.enum(['user', 'project', 'local'])),
    place: 'advanced',
    long: 'Which Claude Code settings to load. Default: `user`, plus `project` and `local` in trusted folders. `user` cannot be dropped, because it holds deny rules.',
  },
});
