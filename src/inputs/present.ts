import { cutMiddle, escapeHidden } from '../core/escape.js';
import type { InputRequest } from '../core/inputs.js';
import { summarizeToolUse } from '../core/tool-summary.js';

/** What an approver reads of a request. Built by us; the agent's words are quoted and named as such. */
export interface PresentedInput {
  readonly requestId: string;
  readonly type: InputRequest['kind'];
  readonly toolName: string;
  readonly summary: string;
  readonly input: unknown;
  /** Only when `input` was cut: page the whole with requestId and resultOffset. */
  readonly inputChars?: number;
  readonly reason?: string;
  readonly blockedPath?: string;
  readonly agent?: string;
  readonly accepts: readonly string[];
  readonly expiresAt?: string;
}

export function presentInput(request: InputRequest, room: number): PresentedInput {
  const { requestId, kind, toolName, input, claudeSays, reason, blockedPath, agentId, expiresAt } = request;
  const whole = inputText(request);
  const words =
    claudeSays === undefined ? '' : `. Claude says: "${cutMiddle(escapeHidden(claudeSays), 120)}"`;
  return {
    requestId,
    type: kind,
    toolName: escapeHidden(toolName),
    summary: `${summarizeToolUse(toolName, input, 160)}${words}`,
    ...(whole.length <= room
      ? { input: escapeAll(input) }
      : { input: cutMiddle(whole, room), inputChars: whole.length }),
    ...(reason === undefined ? {} : { reason: cutMiddle(escapeHidden(reason), 200) }),
    ...(blockedPath === undefined ? {} : { blockedPath: cutMiddle(escapeHidden(blockedPath), 200) }),
    ...(agentId === undefined ? {} : { agent: agentId }),
    accepts: ['allow', 'deny'],
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** The whole input as text, for paging. */
export function inputText({ input }: InputRequest): string {
  return escapeHidden(JSON.stringify(input));
}

function escapeAll(value: unknown): unknown {
  if (typeof value === 'string') return escapeHidden(value);
  if (Array.isArray(value)) return value.map(escapeAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [escapeHidden(key), escapeAll(inner)]),
  );
}
