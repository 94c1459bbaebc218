import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { isUuid, parseIdStart, parseSessionId } from '../../src/core/ids.js';

it('accepts any UUID, in upper case and with surrounding spaces too', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(parseSessionId(` ${uuid.toUpperCase()}\n`)).toBe(uuid);
    }),
  );
});

it.each(['', 'my session', '../../etc/passwd', '00000000-0000-4000-8000-00000000000', 'g'.repeat(36)])(
  'refuses %j',
  (text) => {
    expect(() => parseSessionId(text)).toThrow(new AppError('session_id_invalid', { text }));
  },
);

it('quotes only the beginning of a long invalid id', () => {
  expect(() => parseSessionId('x'.repeat(500))).toThrow(`"${'x'.repeat(60)}"`);
});

it('accepts only the exact format of a UUID', () => {
  expect(isUuid('00000000-0000-4000-8000-000000000001')).toBe(true);
  expect(isUuid('a 00000000-0000-4000-8000-000000000001')).toBe(false);
  expect(isUuid('00000000-0000-4000-8000-000000000001\n')).toBe(false);
});

it('accepts the first 8 or more characters of a UUID where a beginning is enough', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 8, max: 36 }), (uuid, chars) => {
      expect(parseIdStart(` ${uuid.slice(0, chars).toUpperCase()}\n`)).toBe(uuid.slice(0, chars));
    }),
  );
});

it.each([
  '',
  '0000000',
  '0000000g',
  '000000000',
  '00000000-0000-4000-8000-0000000000010',
  '../00000000',
  '00000000*',
])('refuses %j as a beginning', (text) => {
  expect(() => parseIdStart(text)).toThrow(new AppError('session_id_invalid', { text }));
});
