import type { TraceContext } from './trace.js';

/** The sender of a tool call, as far as approvals and the audit log need to know it. */
export interface Caller {
  /** The connection, or the principal behind it. */
  readonly clientId: string;
  /** The name of the token, or the subject of an OAuth token; undefined over stdin and stdout. */
  readonly login?: string | undefined;
  /** Whether the client of this request can show a form to a person. */
  readonly canAskPerson: boolean;
  /** Whether it can open the page for a person. Undefined: no. */
  readonly canOpenPage?: boolean | undefined;
  /** Whether its credential may answer requests. Undefined: yes, as over stdio, where callers have no credentials. */
  readonly mayAnswer?: boolean | undefined;
  /** Name and version as the client reports them; unverified. */
  readonly client?: string | undefined;
  /** Set if a person acts on the page: the name of their device. */
  readonly device?: string | undefined;
  readonly era?: 'legacy' | 'modern' | undefined;
  /** The request id chosen by the client. */
  readonly callId?: string | undefined;
  readonly trace?: TraceContext | undefined;
}

/**
 * Identifies the client that a person sits at. A principal may also use scripts: that a person has answered a form in one
 * client, or that another dismisses forms by itself, says nothing about the others.
 */
export function clientKeyOf({
  clientId,
  login,
  client,
}: Pick<Caller, 'clientId' | 'login' | 'client'>): string {
  return login === undefined ? clientId : JSON.stringify([clientId, login, client]);
}

/** The caller fields that the audit log records. */
export interface AuditedCaller {
  readonly clientId: string;
  /** Not `credential`: logs and audit lines mask the values of keys that sound like a secret. */
  readonly login?: string | undefined;
  readonly client?: string | undefined;
  /** The name of a person's device, if they acted on the page. */
  readonly device?: string | undefined;
  readonly era?: string | undefined;
  /** The request id chosen by the client. */
  readonly callId?: string | undefined;
  readonly traceId?: string | undefined;
}
