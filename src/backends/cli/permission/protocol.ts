/** The names by which Claude Code, the script it starts, and this server find each other. */
export const serverName = 'perm';
export const toolName = 'permission_check';
export const callbackPath = '/permission-check';
export const variables = {
  port: 'PERMISSION_CALLBACK_PORT',
  sessionId: 'PERMISSION_SESSION_ID',
  token: 'PERMISSION_TOKEN',
} as const;

/** How often somebody who waits for an answer is told that it is still awaited. */
export const heartbeatMs = 10_000;

/** What Claude Code asks, as the script passes it on. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function deny(message: string): { readonly behavior: 'deny'; readonly message: string } {
  return { behavior: 'deny', message };
}
