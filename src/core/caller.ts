import type { TraceContext } from './trace.js';

/** Who makes a tool call, as far as approvals and the audit log must know. */
export interface Caller {
  /** The connection, or the principal behind it: what a person has answered is remembered under this. */
  readonly clientId: string;
  /** Whether the client of this very request can put a form before a person. */
  readonly canAskPerson: boolean;
  /** What the client calls itself: name and version, in its own words. */
  readonly client?: string | undefined;
  readonly era?: 'legacy' | 'modern' | undefined;
  /** The id of the request, as the client has chosen it. */
  readonly callId?: string | undefined;
  /** The trace that this call belongs to. */
  readonly trace?: TraceContext | undefined;
}

/** Who it was, and by which call. */
export interface AuditedCaller {
  readonly clientId: string;
  readonly client?: string | undefined;
  readonly era?: string | undefined;
  /** The id of the request, as the client has chosen it. */
  readonly callId?: string | undefined;
  readonly traceId?: string | undefined;
}
