import type { Audit, AuditEntry } from '../../src/core/observability/audit.js';

/** Writes nothing down: for tests that are about something else. */
export const noAudit: Audit = { record: () => undefined, recordOrThrow: () => undefined };

/** Writes everything into the list. */
export function auditInto(entries: AuditEntry[]): Audit {
  const write = (entry: AuditEntry): void => void entries.push(entry);
  return { record: write, recordOrThrow: write };
}
