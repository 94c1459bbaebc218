import type { Audit, AuditEntry } from '../../src/core/audit.js';

/** Writes nothing down: for tests that are about something else. */
export const noAudit: Audit = { record: () => undefined, insist: () => undefined };

/** Writes everything into the list. */
export function auditInto(entries: AuditEntry[]): Audit {
  const write = (entry: AuditEntry): void => void entries.push(entry);
  return { record: write, insist: write };
}
