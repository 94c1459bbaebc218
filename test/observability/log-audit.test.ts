import { expect, it } from 'vitest';
import type { AuditEntry } from '../../src/core/audit.js';
import { createLogAudit } from '../../src/observability/log-audit.js';

it('writes a decision as a line of the log, with everything that is known of it', () => {
  const lines: unknown[] = [];
  const audit = createLogAudit({ log: (...line) => void lines.push(line) });
  const entry: AuditEntry = {
    what: 'input_settled',
    sessionId: 's1',
    requestId: 'r1',
    kind: 'permission',
    toolName: 'Bash',
    decision: 'allow',
    answeredBy: 'elicitation',
  };

  audit.record(entry);

  const { what: _what, ...fields } = entry;
  expect(lines).toEqual([['info', 'input settled', fields]]);
});
