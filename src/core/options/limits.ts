import * as z from 'zod';
import { defineOptions } from './define.js';

const day = 86_400_000;

/** Limits on turns, cost and time. */
export const limitOptions = defineOptions({
  maxTurns: {
    schema: z.int().min(1).max(10_000),
    place: 'top',
    long: 'Maximum number of model turns per prompt. Default: no limit.',
  },
  maxBudgetUsd: {
    schema: z.number().positive().max(1_000_000),
    place: 'top',
    words: 'For the whole session',
    long: 'Maximum cost of the whole session, across all its processes. Default: no limit.',
  },
  permissionRequestTimeoutMs: {
    schema: z.int().min(1_000).max(day),
    place: 'top',
    words: 'Time to answer a request',
    long: "Time after which an unanswered request is denied. Default and maximum: the operator's `CLAUDE_CODE_MCP_PERMISSION_TIMEOUT_MS`, 5 minutes. A larger value is lowered to it, and the answer has `requestLimitMs`.",
  },
  timeoutMs: {
    // A smaller number is probably meant in seconds.
    schema: z.int().min(1_000).max(day),
    place: 'advanced',
    words: 'Per turn; pauses during requests',
    long: 'Time after which a turn is interrupted. It starts when Claude Code is ready, and stops while a request is open. Default: no limit except `CLAUDE_CODE_MCP_RUNNING_SESSION_MAX_MS`.',
  },
  sessionInitTimeoutMs: {
    schema: z.int().min(100).max(60_000),
    place: 'advanced',
    long: 'Time in which Claude Code must start. Default: `CLAUDE_CODE_MCP_START_TIMEOUT_MS`.',
  },
});
