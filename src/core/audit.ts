import type { AnsweredBy, Decision, InputKind } from './events.js';

/** A decision that somebody may have to account for later. */
export interface AuditEntry {
  readonly what: 'input_settled';
  readonly sessionId: string;
  readonly requestId: string;
  readonly kind: InputKind;
  readonly toolName: string;
  readonly decision: Decision;
  readonly answeredBy: AnsweredBy;
}

/** Port: where decisions are written down. */
export interface Audit {
  record(entry: AuditEntry): void;
}
