import type { EffectiveOptions } from '../../../core/options/index.js';
import { askOperatorTo } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Why a session runs without the settings of its folder, and how to enable them. Undefined if it has them. */
export function trustHint({
  projectSettings,
  skippedFiles = [],
}: Pick<EffectiveOptions, 'projectSettings' | 'skippedFiles'>): string | undefined {
  if (projectSettings !== 'skipped') return undefined;
  const files = skippedFiles.length === 0 ? '' : `: ${skippedFiles.slice(0, 5).join(', ')} not loaded`;
  return `skipped: folder not trusted${files} (run \`claude\` there once and trust the folder, or ${askOperatorTo('add it to CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;
}

/** Where the caller finds the whole conversation when an answer contains only a part of it. */
export function transcriptHint(sessionId: string, { transcript }: Vocabulary): string {
  return transcript === undefined
    ? "Claude Code's transcript on the server's machine contains the whole conversation. To read it with a tool, ask the operator to set CLAUDE_CODE_MCP_TOOLSETS=async,query."
    : transcript(sessionId);
}
