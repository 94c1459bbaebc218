/** Names shared by Claude Code, the permission script and this server. */
export const serverName = 'perm';
export const toolName = 'permission_check';
/** Its name in Claude Code. */
export const permissionTool = `mcp__${serverName}__${toolName}`;
export const callbackPath = '/permission-check';
export const variables = {
  port: 'PERMISSION_CALLBACK_PORT',
  sessionId: 'PERMISSION_SESSION_ID',
  token: 'PERMISSION_TOKEN',
} as const;

/** Interval of the progress messages for an open question. */
export const heartbeatMs = 10_000;

/** A permission question from Claude Code, as the script forwards it. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function deny(message: string): { readonly behavior: 'deny'; readonly message: string } {
  return { behavior: 'deny', message };
}
