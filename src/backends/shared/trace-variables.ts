import type { Launch } from '../../core/claude/backend.js';

/**
 * How Claude Code learns of the trace that it belongs to. The state of another trace, that the server may have
 * inherited, would not belong to this one: undefined takes it away.
 */
export function traceVariables({ trace }: Launch): Record<string, string | undefined> {
  return trace === undefined ? {} : { TRACEPARENT: trace.traceparent, TRACESTATE: trace.tracestate };
}
