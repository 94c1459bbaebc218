/** W3C trace context: the distributed trace that a call belongs to. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** Version 00, the only version defined so far. */
const parentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const maxStateChars = 512;
const maxStateMembers = 32;
const memberPattern = /^[a-z\d][\w\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/**
 * Parses the trace of a request. It becomes an environment variable of another process, so only the standard format
 * passes.
 */
export function parseTrace(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !parentPattern.test(traceparent)) return undefined;
  return isState(tracestate) ? { traceparent, tracestate } : { traceparent };
}

export function traceIdOf({ traceparent }: TraceContext): string {
  return parentPattern.exec(traceparent)?.[1] ?? '';
}

/** An invalid state is dropped without invalidating the trace. */
function isState(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > maxStateChars) return false;
  const members = value.split(/(?<![ \t])[ \t]*,[ \t]*/);
  return members.length <= maxStateMembers && members.every((member) => memberPattern.test(member));
}
