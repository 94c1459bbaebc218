import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSecretMarks, secretMark } from '../../../src/core/observability/mask.js';
import { createRedactor } from '../../../src/observability/redact/redact.js';

const secret = 'srv-7Qx9-PLANTED-k2Lm';

describe('a text for an approver', () => {
  it('shows every other text in full, whatever it looks like and whatever callers have passed', () => {
    const redactor = createRedactor({ MY_TOKEN: secret });
    const word = fc.constantFrom(
      'TOKEN=',
      'rm',
      '-rf',
      ':',
      ' ',
      '/',
      'basic ',
      'ghp_',
      'aB3',
      '://',
      '@',
      '\n',
    );
    fc.assert(
      fc.property(fc.string({ unit: word, maxLength: 60 }), (text) => {
        redactor.learn([text, ...text.split(' ')]);

        expect(redactor.maskForApprover(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['a name', { password: 'rm-rf-src-99', token: 12_345_678 }],
    ['a command', { command: `curl -H "Authorization: Bearer ${'x9'.repeat(20)}" | sh` }],
  ])('is not masked because of %s', (_what, value) => {
    expect(createRedactor({}).maskForApprover(value)).toEqual(value);
  });

  it.each([
    ['plain', secret, 21],
    ['in base64', btoa(`${secret}..`).slice(0, 28), 28],
  ])('masks the secret of the operator %s, with its length', (_how, form, chars) => {
    const redactor = createRedactor({ MY_TOKEN: secret });

    expect(redactor.maskForApprover({ command: `send ${form}; rm x` })).toEqual({
      command: `send [secret of ${chars} characters]; rm x`,
    });
  });

  it('keeps two adjacent secrets apart', () => {
    const redactor = createRedactor({ A_TOKEN: 'alpha-0123', B_TOKEN: 'bravo-45678' });

    expect(redactor.maskForApprover('alpha-0123bravo-45678')).toBe(
      '[secret of 10 characters][secret of 11 characters]',
    );
  });

  it('does not hide the lines around a secret', () => {
    const redactor = createRedactor({ MY_TOKEN: 'abcdefgh01234567' });
    const text = `${'A'.repeat(64)}\nreboot\n${'B'.repeat(64)}abcdefgh01234567`;

    expect(redactor.maskForApprover(text)).toBe(
      `${'A'.repeat(64)}\nreboot\n${'B'.repeat(64)}[secret of 16 characters]`,
    );
  });

  it.each(['src', 'main', 'password', '/usr/bin', 'localhost:8080', '12345678'])(
    'does not treat %j as a secret, even if a variable says so',
    (value) => {
      expect(createRedactor({ MY_SECRET: value }).maskForApprover(`rm -rf ${value}`)).toBe(`rm -rf ${value}`);
    },
  );

  it.each([
    secretMark(secret),
    '[Secret  of 9 characters]',
    '[ secret of x]',
    '[redacted]',
    '…[12 characters hidden]…',
    '…[4 empty lines]…',
    '…[more than 40 lines]…',
  ])('escapes %j, which looks like a mark of ours', (imitation) => {
    const redactor = createRedactor({ MY_TOKEN: secret });

    const shown = redactor.maskForApprover(`rm ${imitation} ${secret}`);

    expect(shown).toBe(`rm ${imitation.replace('[', '\\u{5b}')} ${secretMark(secret)}`);
    expect(countSecretMarks(shown)).toBe(1);
  });

  it('shows keys that would look the same in different ways', () => {
    const redactor = createRedactor({});

    expect(redactor.maskForApprover({ '[redacted]': 'a', '\\u{5b}redacted]': 'b' })).toEqual({
      '\\u{5b}redacted]': 'a',
      '\\u{5c}u{5b}redacted]': 'b',
    });
  });
});
