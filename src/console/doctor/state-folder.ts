import { sentence } from '../../core/errors.js';
import type { Finding } from './check.js';

export interface StateFolderFacts {
  readonly path: string;
  /** Undefined if sessions can be saved there. */
  readonly problem: string | undefined;
  /** A newer version of this server has written it. */
  readonly isNewer: boolean;
}

export function checkStateFolder({ path, problem, isNewer }: StateFolderFacts): Finding {
  const id = 'state-folder';
  return problem === undefined
    ? { id, status: 'ok', message: `Sessions are saved in ${path}.` }
    : {
        id,
        status: 'fail',
        message: `Sessions cannot be saved: ${sentence(problem)}`,
        fix: isNewer
          ? 'Update this server, or set CLAUDE_CODE_MCP_STATE_DIR to another folder.'
          : `Make ${path} a folder that belongs to you and that only you can write to (chmod go-w), or set CLAUDE_CODE_MCP_STATE_DIR to another folder.`,
      };
}
