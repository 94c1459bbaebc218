import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/core/observability/audit.js';
import type { EndedCall } from '../../../src/core/observability/call-observer.js';
import {
  createCallAudit,
  createCallLog,
  createLogAudit,
} from '../../../src/observability/audit/log-audit.js';
import { auditInto } from '../../kit/audits.js';

const call: EndedCall = {
  tool: 'claude_code_check',
  isRead: true,
  code: 'ok',
  durationMs: 3,
  clientId: 'c1',
  callId: '7',
  sessionId: 's1',
};

it('logs audit entries as flat lines, without nested values', () => {
  const lines: unknown[] = [];
  const audit = createLogAudit({ log: (...line) => void lines.push(line) });

  audit.recordOrThrow({
    what: 'prompt_given',
    sessionId: 's1',
    promptChars: 4,
    cwd: '/p',
    options: {},
    clientId: 'c1',
  });

  const fields = { sessionId: 's1', promptChars: 4, cwd: '/p', clientId: 'c1' };
  expect(lines).toEqual([['info', 'prompt given', fields]]);
});

it('logs one line per tool call', () => {
  const lines: unknown[] = [];
  const { isRead: _isRead, ...fields } = call;

  createCallLog({ log: (...line) => void lines.push(line) }).onCallEnded(call);

  expect(lines).toEqual([['info', 'tool call', fields]]);
});

describe('tool calls as entries', () => {
  it.each<[string, Partial<EndedCall>, boolean]>([
    ['a look that went well', {}, false],
    ['a look that was refused', { code: 'PERMISSION_DENIED', reason: 'not here' }, true],
    ['a deed', { isRead: false }, true],
  ])('are recorded: %s', (_, changes, isWritten) => {
    const entries: AuditEntry[] = [];
    const { isRead: _isRead, ...fields } = { ...call, ...changes };

    createCallAudit(auditInto(entries)).onCallEnded({ ...call, ...changes });

    expect(entries).toEqual(isWritten ? [{ what: 'tool_call', ...fields }] : []);
  });
});
