import { oneLine } from '../../core/text/escape.js';
import type { Finding } from './check.js';

export interface ClaudeFacts {
  /** The value of CLAUDE_CODE_PATH, if the operator sets it. */
  readonly configured: string | undefined;
  /** The `claude` on the PATH, if sessions use another. */
  readonly unused?: string | undefined;
  readonly found: { readonly path: string; readonly by: 'setting' | 'path' | 'bundle' } | undefined;
  /** What `--version` printed. Undefined if it could not be run. */
  readonly said: string | undefined;
  readonly backend: 'agent-sdk' | 'cli';
  readonly isTested: boolean;
  /** The tested versions in words. */
  readonly tested: string;
}

export const installClaude =
  'Install Claude Code (https://code.claude.com/docs/en/setup), or set CLAUDE_CODE_PATH to its executable.';

const origins = {
  setting: 'set by CLAUDE_CODE_PATH',
  path: 'found on the PATH',
  bundle: 'bundled with the Agent SDK',
} as const;

export function checkClaude(facts: ClaudeFacts): Finding {
  const { configured, unused, found, said, backend, tested, isTested } = facts;
  const id = 'claude';
  if (found === undefined)
    return configured === undefined
      ? { id, status: 'fail', message: 'Claude Code was not found.', fix: installClaude }
      : {
          id,
          status: 'fail',
          message: `CLAUDE_CODE_PATH=${configured} does not lead to an executable.`,
          fix: 'Set it to the absolute path of Claude Code, or remove it to use the bundled one.',
        };
  const { path, by } = found;
  const repair =
    by === 'setting' ? 'Set CLAUDE_CODE_PATH to the executable of Claude Code, or remove it.' : installClaude;
  if (said === undefined)
    return { id, status: 'fail', message: `${path} (${origins[by]}) could not be run.`, fix: repair };
  const version = /^(\d+\.\d+\.\d+\S*) \(Claude Code\)/.exec(said)?.[1];
  if (version === undefined)
    return {
      id,
      status: 'fail',
      message: `${path} (${origins[by]}) is not Claude Code: --version printed ${said === '' ? 'nothing' : `"${oneLine(said, 80)}"`}.`,
      fix: repair,
    };
  const spare =
    by === 'bundle' && unused !== undefined
      ? ` It takes about 200 MB to download. npx --omit=optional leaves it out and uses your own ${unused}.`
      : '';
  if (isTested)
    return { id, status: 'ok', message: `Claude Code ${version}, ${origins[by]} (${path}).${spare}` };
  return {
    id,
    // The other backend refuses to start it.
    status: backend === 'cli' ? 'fail' : 'warn',
    message: `Claude Code ${version} (${path}, ${origins[by]}) is outside of the tested range: ${tested}.`,
    fix:
      by === 'bundle'
        ? 'Install another version of the npm package @anthropic-ai/claude-agent-sdk.'
        : `Run "${path} update", or set CLAUDE_CODE_PATH to a tested version.`,
  };
}
