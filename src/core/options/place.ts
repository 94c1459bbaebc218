import * as z from 'zod';
import { defineOptions } from './define.js';

const folder = z.string().min(1).max(4096);

/** The folders of a session, and which settings it loads. */
export const placeOptions = defineOptions({
  cwd: {
    schema: folder,
    place: 'top',
    words: 'Absolute path of the project',
    long: "Working folder, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder. `/`, a drive root and the home folder are refused.",
  },
  additionalDirectories: {
    schema: z.array(folder).max(20),
    place: 'advanced',
    long: 'Additional folders that Claude may work in. Each must exist. Default: none.',
  },
  settingSources: {
    schema: z.array(z.enum(['user', 'project', 'local'])),
    place: 'advanced',
    long: 'Claude Code settings to load. Default: `user`, plus `project` and `local` in trusted folders. `user` cannot be omitted, because it holds deny rules.',
  },
});

/** The folders in which a session reads and edits. */
export function foldersOf({
  cwd,
  additionalDirectories = [],
}: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
}): readonly string[] {
  return [cwd, ...additionalDirectories];
}
