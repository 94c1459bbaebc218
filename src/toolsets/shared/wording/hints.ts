import type { EffectiveOptions } from '../../../core/options/index.js';
import { askOperatorTo } from './sentences.js';

/** Why the content of a listed session is not shown. */
export const unreadHint =
  'Someone else started this session, and this server may not read it. To read it, ask the operator to set CLAUDE_CODE_MCP_HISTORY=read.';

/** Why a session runs without the settings of its folder, and how to enable them. Undefined if it has them. */
export function trustHint({
  projectSettings,
  skippedFiles = [],
}: Pick<EffectiveOptions, 'projectSettings' | 'skippedFiles'>): string | undefined {
  if (projectSettings !== 'skipped') return undefined;
  const files = skippedFiles.length === 0 ? '' : `: ${skippedFiles.slice(0, 5).join(', ')} not loaded`;
  return `skipped: folder not trusted${files} (run \`claude\` there once and trust the folder, or ${askOperatorTo('add it to CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;
}
