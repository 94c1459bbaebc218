import type { Audit, AuditEntry } from '../../src/core/observability/audit.js';

/** Discards all entries, for tests about something else. */
export const noAudit: Audit = { record: () => undefined, recordOrThrow: () => undefined };

/** Appends all entries to the list. */
export function auditInto(entries: AuditEntry[]): Audit {
  const write = (entry: AuditEntry): void => void entries.push(entry);
  return { record: write, recordOrThrow: write };
}
