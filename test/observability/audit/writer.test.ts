import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/core/observability/audit.js';
import { FileAudit } from '../../../src/observability/audit/writer.js';
import { redactorOf } from '../../kit/redactors.js';

const entry: AuditEntry = { what: 'bypass_switched', clientId: 'c1', isOn: true, by: 'person' };

/** A disk that can be full. */
function createScene(isRequired: boolean) {
  const disk = { isFull: false };
  const written: object[] = [];
  const logged: unknown[] = [];
  const audit = new FileAudit({
    path: '/var/audit.jsonl',
    lines: {
      get head() {
        return { seq: written.length, mac: 'f'.repeat(64) };
      },
      append(line) {
        if (disk.isFull) throw new Error('ENOSPC: no space left on device, write');
        written.push(line);
      },
      close: () => undefined,
    },
    isRequired,
    logger: { log: (level, message) => void logged.push([level, message]) },
    redactor: redactorOf('s3cr3t-of-the-audit'),
  });
  return { audit, disk, written, logged };
}

describe('an audit log that cannot be written', () => {
  it('is logged once, and once more when it recovers, with a count of the lost entries', () => {
    const { audit, disk, written, logged } = createScene(false);

    disk.isFull = true;
    for (let index = 0; index < 3; index += 1) audit.record(entry);
    audit.recordOrThrow(entry);
    disk.isFull = false;
    audit.record(entry);

    expect(written).toEqual([{ what: 'entries_lost', count: 4 }, entry]);
    expect(logged).toEqual([
      ['error', 'the audit log cannot be written'],
      ['warn', 'the audit log can be written again'],
    ]);
  });

  it('refuses new operations when it is required, but never completed ones', () => {
    const { audit, disk, written } = createScene(true);
    disk.isFull = true;

    expect(() => audit.record(entry)).not.toThrow();
    expect(() => audit.recordOrThrow(entry)).toThrow(
      'the audit log /var/audit.jsonl cannot be written, and this server refuses actions that it cannot record',
    );
    disk.isFull = false;
    audit.recordOrThrow(entry);

    expect(written).toEqual([{ what: 'entries_lost', count: 1 }, entry]);
  });
});

it('logs the head regularly and at the end', () => {
  const { audit, logged } = createScene(false);

  for (let index = 0; index < 250; index += 1) audit.record(entry);
  audit.close();

  expect(logged).toEqual(Array.from({ length: 3 }, () => ['info', 'audit head']));
});

it('contains every rule that a caller can pass, and says how many entries of a longer list are missing', () => {
  const { audit, written } = createScene(false);
  const rules = Array.from({ length: 100 }, (_, index) => `Bash(echo ${index})`);
  const many = Array.from({ length: 203 }, (_, index) => index);
  const keys = Object.fromEntries(many.map((index) => [`k${index}`, index]));

  audit.record({
    what: 'prompt_given',
    sessionId: 's1',
    promptChars: 3,
    cwd: '/p',
    clientId: 'c1',
    options: { allowedTools: rules, many, keys },
  });

  const note = '…[3 entries hidden]…';
  expect(written).toMatchObject([
    {
      options: { allowedTools: rules, many: [...many.slice(0, 200), note], keys: { k199: 199, [note]: '' } },
    },
  ]);
});

it('contains no secrets, and only the beginning and end of long texts', () => {
  const { audit, written } = createScene(false);
  const long = `${'x'.repeat(290)} s3cr3t-of-the-audit ${'y'.repeat(900)}`;

  audit.record({
    what: 'prompt_given',
    sessionId: 's1',
    promptChars: 3,
    cwd: '/p',
    clientId: 'c1',
    options: { systemPrompt: long, tools: ['s3cr3t-of-the-audit'], nested: { list: Array(80).fill('z') } },
  });

  const text = JSON.stringify(written);
  expect(text).not.toContain('s3cr3t');
  expect(text.length).toBeLessThan(1_000);
  expect(text).toContain('characters hidden');
});
