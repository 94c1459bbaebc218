import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/core/observability/audit.js';
import { redactRecord } from '../../../src/core/observability/redact-record.js';
import { redactorOf } from '../../kit/redactors.js';

const sessionId = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';
const inputHash = 'a1'.repeat(32);

const settled: AuditEntry = {
  what: 'input_settled',
  principal: 'ci-2026x',
  login: 'alice-laptop',
  clientId: 'token-12345678',
  device: 'Alice’s phone 7',
  sessionId,
  requestId: 'ab_-1234',
  kind: 'permission',
  toolName: 'mcp__srv-1__tool-2',
  summary: 'Bash: touch run-2.sh',
  inputHash,
  inputChars: 28,
  decision: 'allow',
  answeredBy: 'caller',
};

it('a caller cannot hide who, which session and what was decided by passing them as secrets', () => {
  const texts = Object.values(settled).filter((value) => typeof value === 'string');
  const redactor = redactorOf('another-s3cr3t');
  redactor.learn([...texts, 'touch run-2.sh']);

  const redacted = redactRecord(settled, redactor);

  expect(redacted).toEqual({ ...settled, summary: '[redacted]' });
});

it('a caller cannot hide why a call was refused', () => {
  const refused = { what: 'tool_call', reason: 'outside_the_folders_of_the_server' };
  const redactor = redactorOf('another-s3cr3t');
  redactor.learn([refused.reason]);

  expect(redactRecord(refused, redactor)).toEqual(refused);
});

it.each([
  ['sessionId', 's3cr3t-of-a-caller'],
  ['requestId', 's3cr3t-of-a-caller'],
  ['action', 's3cr3t-of-a-caller'],
  ['decision', 's3cr3t-of-a-caller'],
  ['toolName', 's3cr3t of a caller'],
  ['reason', 's3cr3t-of-a-caller'],
])('a secret that a caller passes as %s is redacted', (field, secret) => {
  expect(redactRecord({ [field]: secret }, redactorOf(secret))).toEqual({ [field]: '[redacted]' });
});

it('secrets inside the options of a caller are redacted, in keys too', () => {
  const secret = 's3cr3t-of-a-caller';

  const redacted = redactRecord({ options: { [secret]: { sessionId: secret } } }, redactorOf(secret));

  expect(redacted).toEqual({ options: { '[redacted]': { sessionId: '[redacted]' } } });
});
