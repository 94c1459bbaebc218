import type { EffectiveOptions } from '../../../core/options/index.js';
import { askOperatorTo } from './sentences.js';

/** Why the content of a listed session is not shown. */
const unreadHint =
  'Someone else started this session, and this server may not read it. To read it, ask the operator to set CLAUDE_CODE_MCP_HISTORY=read.';

/** What a caller can do about a session that another server runs. */
const elsewhereHint =
  'Watch it here. Only the client of that server can answer its requests, interrupt it or add to it.';

/** Why a caller sees or can do less than usual. */
export function noteOn({
  isUnread,
  elsewhere,
}: {
  readonly isUnread: boolean;
  readonly elsewhere: number | undefined;
}): string | undefined {
  if (elsewhere !== undefined) return elsewhereHint;
  return isUnread ? unreadHint : undefined;
}

/** Why a session runs without the settings of its folder, and how to enable them. Undefined if it has them. */
export function trustHint({
  projectSettings,
  skippedFiles = [],
}: Pick<EffectiveOptions, 'projectSettings' | 'skippedFiles'>): string | undefined {
  if (projectSettings !== 'skipped') return undefined;
  const files = skippedFiles.length === 0 ? '' : `: ${skippedFiles.slice(0, 5).join(', ')} not loaded`;
  return `skipped: folder not trusted${files} (run \`claude\` there once and trust the folder, or ${askOperatorTo('add it to CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;
}
