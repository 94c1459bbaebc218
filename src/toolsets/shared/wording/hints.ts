import { askOperatorTo } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Why a session runs without the settings of its folder, and how to change that. */
export const trustHint = `skipped: folder not trusted (run \`claude\` there once, or ${askOperatorTo('list it in CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;

/** Where the whole of a conversation is that was answered in part. */
export function transcriptHint(sessionId: string, { transcript }: Vocabulary): string {
  return transcript === undefined
    ? 'The whole conversation is in the transcript of Claude Code on the machine of this server. Ask the operator to serve the toolset "async" too (CLAUDE_CODE_MCP_TOOLSETS=async,query): it can page transcripts.'
    : transcript(sessionId);
}
