import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mask } from '../../../src/core/observability/mask.js';
import { FormIndex } from '../../../src/observability/redact/form-index.js';
import { createRedactor } from '../../../src/observability/redact/redact.js';
import { redactorOf } from '../../kit/redactors.js';

/** Long and mixed enough to be nobody's word, of characters that every encoding treats in its own way. */
const secrets = fc
  .string({
    unit: fc.constantFrom(...'a Z 0 9 + / = - _ " \\ % & \n é $'.split(' '), ' '),
    minLength: 6,
    maxLength: 60,
  })
  .map((text) => `x7${text}9z`);

/** What the patterns begin with and break off at. */
const fragments = fc.constantFrom(
  ...'sk- sk-ant- ghp_ eyJ . token password = " \\ \\n :// @ : -- [ ] x 1 $ ( ) é'.split(' '),
  ...'abc123def456ghi789 QUJDREVGR0hJSktMTU5PUA== -----END'.split(' '),
  ' ',
  ': ',
  '\n',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  mask,
);
const nasty = fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join(''));

const encoders: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text),
  (text) => JSON.stringify({ a: JSON.stringify([text]) }),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
];

it('masks every known secret, in any form and context', () => {
  fc.assert(
    fc.property(secrets, nasty, nasty, fc.constantFrom(...encoders), (secret, before, after, encode) => {
      const redactor = redactorOf(secret);

      const text = redactor.redact(`${before} ${encode(`<${secret}>`)} ${after}`);

      // What is at the edges of a base64 text belongs to its neighbours as well.
      const form = encode(secret);
      const core = form.startsWith('"') || form.startsWith('{') ? secret : form.slice(0, -4);
      if (!`${before}${after}`.includes(core)) expect(text).not.toContain(core);
      expect(text).not.toContain(secret);
    }),
    { numRuns: 500 },
  );
});

it('is idempotent', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.array(fc.oneof(nasty, fc.constant('SECRET')), { maxLength: 6 }),
      (secret, parts) => {
        const redactor = redactorOf(secret);
        const once = redactor.redact(parts.map((part) => part.replaceAll('SECRET', secret)).join(''));

        expect(redactor.redact(once)).toBe(once);
      },
    ),
    { numRuns: 1_000 },
  );
});

it('keeps JSON valid and its shape unchanged', () => {
  fc.assert(
    fc.property(secrets, fc.dictionary(fc.string(), fc.oneof(nasty, fc.array(nasty))), (secret, value) => {
      const redactor = redactorOf(secret);
      const planted = { ...value, planted: secret, deep: { text: `a ${secret} b` } };

      const parsed = JSON.parse(redactor.redact(JSON.stringify(planted))) as typeof planted;

      expect(parsed.planted).toBe(mask);
      expect(parsed.deep.text).toBe(`a ${mask} b`);
      expect(Object.keys(parsed)).toHaveLength(Object.keys(planted).length);
    }),
    { numRuns: 500 },
  );
});

it('does not change prose', () => {
  const words = fc.array(fc.constantFrom('the', 'Risk', 'of', 'a', 'Task', 'is', 'small,', 'though.\n'));
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(' ');
      expect(createRedactor({ MY_TOKEN: 'x7-y8-z9-w0' }).redact(text)).toBe(text);
    }),
  );
});

// No times are asserted: what is not linear would run into the limit of the test.
it('handles long texts of any kind quickly', () => {
  const redactor = createRedactor(
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`S${index}_TOKEN`, `a1b2-${index}-c3d4`])),
  );
  const units = [
    'a',
    'sk-',
    'eyJ',
    'token=',
    'token: ',
    '--',
    '--token ',
    '://',
    '://a:',
    'bearer ',
    '\\n',
    ' ',
  ];
  const more = [
    '-----BEGIN PRIVATE KEY-----\n',
    'QUJD',
    `${'QUJD'.repeat(16)}\n`,
    'secret',
    '"',
    'private_key',
  ];
  for (const unit of [...units, ...more]) redactor.redact(unit.repeat(Math.ceil(500_000 / unit.length)));
  expect(redactor.redact('a1b2-7-c3d4')).toBe(mask);
});

it('handles long texts quickly, however many secrets begin alike', () => {
  const redactor = createRedactor({});
  redactor.learn(Array.from({ length: 2_000 }, (_, index) => `${'a'.repeat(480)}-${index}`));

  const redacted = redactor.redact(`${'a'.repeat(60_000)}-1234567`);

  expect(redacted).toBe(`${'a'.repeat(60_000 - 480)}${mask}567`);
});

it('masks the longest of the secrets that stand at a place', () => {
  const nested = fc.uniqueArray(fc.stringMatching(/^[ab]{8,16}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(nested, nested, fc.stringMatching(/^[abc]{0,60}$/), (values, others, text) => {
      const index = new FormIndex();
      for (const value of [...values, ...others, ...values]) index.add(value);
      for (const value of [...others, ...values]) index.remove(value);
      const longest = (at: number): number =>
        Math.max(0, ...values.filter((one) => text.startsWith(one, at)).map(({ length }) => length));

      for (const at of text.split('').keys()) expect(index.lengthAt(text, at, 99)).toBe(longest(at));
    }),
    { numRuns: 500 },
  );
});

it('learns quickly, however many secrets it knows', () => {
  const redactor = createRedactor({});
  const secrets = Array.from({ length: 2_000 }, (_, index) => `s${index}x`.padEnd(499, '%/+:'));
  for (const secret of secrets) {
    redactor.learn([secret]);
    redactor.redact('a short text');
  }

  const [oldest = '', newest = ''] = [secrets[0], secrets.at(-1)];

  expect(redactor.redact(`${oldest} ${newest}`)).toBe(`${oldest} ${mask}`);
  expect(redactor.redact(encodeURIComponent(newest))).toBe(mask);
  expect(redactor.redact(encodeURIComponent(oldest))).toBe(encodeURIComponent(oldest));
});

it('masks a text quickly that many secrets only begin like', () => {
  const redactor = createRedactor({});
  redactor.learn(Array.from({ length: 400 }, (_, index) => `${'a'.repeat(index + 80)}!`));

  const redacted = redactor.redact(`${'a'.repeat(200_000)}! and ${'a'.repeat(90)}!`);

  expect(redacted.endsWith(` and ${mask}`)).toBe(true);
});

it('learns quickly secrets that begin alike, in any order', () => {
  const redactor = createRedactor({});
  const secrets = Array.from({ length: 1_500 }, (_, index) => `${'%/'.repeat(8 + (index % 240))}-${index}`);
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    redactor.learn([secret, `${secret}!`, secret.slice(0, -3)]);
    redactor.redact(secret);
  }

  expect(redactor.redact(`${secrets[7]}!`)).toBe(mask);
});

it('masks in a value whatever it would mask in its JSON', () => {
  const plain = createRedactor({});
  // Without private keys: in JSON the letter of an escaped line break can count as a part of the key.
  const keyless = nasty.map((text) => text.replaceAll('PRIVATE KEY', 'KEY'));
  const keys = fc.constantFrom('password', 'apiKey', 'db_token', 'resumeToken', 'note');
  const leaf = fc.oneof(keyless, fc.integer());
  fc.assert(
    fc.property(fc.dictionary(keys, fc.oneof(leaf, fc.array(leaf)), { maxKeys: 4 }), (value) => {
      const text = JSON.stringify(plain.redactValue(value));

      expect(plain.redact(text)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
