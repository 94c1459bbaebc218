import type { Launch } from '../../core/claude/backend.js';

/**
 * Puts Claude Code into the trace of the call. An undefined TRACESTATE removes the one that the server inherited, which
 * belongs to another trace.
 */
export function traceVariables({ trace }: Launch): Record<string, string | undefined> {
  return trace === undefined ? {} : { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate };
}
