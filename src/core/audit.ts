import type { AnsweredBy, Decision, InputKind } from './events.js';

/** A decision that somebody may have to account for later. */
export type AuditEntry = SettledEntry | BypassEntry;

/** Somebody has let new sessions of a client run everything unasked, or has ended that. */
interface BypassEntry {
  readonly what: 'bypass_switched';
  readonly clientId: string;
  readonly isOn: boolean;
  readonly by: 'caller' | 'person';
}

interface SettledEntry {
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
