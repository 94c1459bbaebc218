import { flag, integer, path } from './setting.js';

/** What is written down of who did what. */
export const auditSettings = {
  auditLog: path({
    flag: 'audit-log',
    env: ['CLAUDE_CODE_MCP_AUDIT_LOG'],
    fallback: undefined,
    doc: 'The file to which calls, prompts, approvals and costs are written, in lines that nobody can change unnoticed. Outside of all folders that sessions work in. Default: none.',
  }),
  auditRequired: flag({
    flag: 'audit-required',
    env: ['CLAUDE_CODE_MCP_AUDIT_REQUIRED'],
    fallback: false,
    doc: 'Refuse starts, replies and approvals while the audit log cannot be written.',
  }),
  auditMaxBytes: integer({
    flag: 'audit-max-bytes',
    env: ['CLAUDE_CODE_MCP_AUDIT_MAX_BYTES'],
    min: 10_000,
    max: 104_857_600,
    fallback: 10_485_760,
    doc: 'The audit log goes on in a new file at this size; old ones stay.',
  }),
} as const;
