import { askOperatorTo } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Why a session runs without the settings of its folder, and how to enable them. */
export const trustHint = `skipped: folder not trusted (run \`claude\` there once, or ${askOperatorTo('add it to CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;

/** Where the caller finds the whole conversation when an answer contains only a part of it. */
export function transcriptHint(sessionId: string, { transcript }: Vocabulary): string {
  return transcript === undefined
    ? 'The transcript of Claude Code on the machine of this server has the whole conversation. To read it with a tool, ask the operator to set CLAUDE_CODE_MCP_TOOLSETS=async,query.'
    : transcript(sessionId);
}
