import type { Launch } from '../../core/claude/backend.js';

/**
 * Joins Claude Code to the trace of the call. An undefined TRACESTATE removes the inherited value, which belongs to
 * another trace.
 */
export function traceVariables({ trace }: Launch): Record<string, string | undefined> {
  return trace === undefined ? {} : { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate };
}
