import { askOperatorTo } from './sentences.js';

/** Why a session runs without the settings of its folder, and how to enable them. */
export const trustHint = `skipped: folder not trusted (run \`claude\` there once and trust the folder, or ${askOperatorTo('add it to CLAUDE_CODE_MCP_TRUSTED_ROOTS')})`;
