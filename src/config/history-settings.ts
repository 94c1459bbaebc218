import { choice, flag, secret } from './setting.js';

/** What callers may learn of sessions, and do with those that this server did not start. */
export const historySettings = {
  history: choice({
    flag: 'history',
    env: ['CLAUDE_CODE_MCP_HISTORY'],
    values: ['off', 'list', 'resume', 'read'],
    fallback: 'resume',
    doc: 'What callers may do with sessions this server did not start. list: see them in lists; resume: also go on with them; read: also read their transcripts; off: nothing.',
  }),
  allowDiskResume: flag({
    flag: 'allow-disk-resume',
    env: ['CLAUDE_CODE_MCP_ALLOW_DISK_RESUME'],
    fallback: true,
    doc: 'Whether sessions this server did not start can be resumed.',
  }),
  resumeSecret: secret({
    flag: 'resume-secret',
    env: ['CLAUDE_CODE_MCP_RESUME_SECRET'],
    minLength: 16,
    fallback: undefined,
    doc: 'Signs resume tokens: with it, a session this server did not start is resumed only by its token.',
  }),
  allowSensitiveDetails: flag({
    flag: 'allow-sensitive-details',
    env: ['CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS'],
    fallback: false,
    doc: 'Whether callers may ask for folder, system prompt, agents and additional folders of a session.',
  }),
} as const;
