import { describe, expect, it } from 'vitest';
import { mask } from '../../../src/core/observability/mask.js';
import { createRedactor } from '../../../src/observability/redact/redact.js';
import { redactorOf } from '../../kit/redactors.js';

const plain = createRedactor({});

describe('a secret in the environment', () => {
  it.each([
    ['as it is', (secret: string) => secret],
    ['twice', (secret: string) => `${secret}${secret}`],
    ['in JSON', (secret: string) => JSON.stringify({ a: secret })],
    ['in JSON in JSON', (secret: string) => JSON.stringify(JSON.stringify([secret]))],
    ['in a URL', (secret: string) => `https://a.example/?q=${encodeURIComponent(secret)}`],
    ['in a form', (secret: string) => new URLSearchParams({ q: secret }).toString()],
    ['in base64', (secret: string) => btoa(secret)],
    ['in base64 behind one letter', (secret: string) => btoa(`u${secret}`)],
    ['in base64 behind a name', (secret: string) => btoa(`me:${secret}`)],
    ['in base64 before more', (secret: string) => btoa(`me:${secret}:more`)],
    ['in base64url', (secret: string) => Buffer.from(secret).toString('base64url')],
    ['in lines of base64', (secret: string) => (btoa(secret.repeat(4)).match(/.{1,76}/g) ?? []).join('\n')],
  ])('is masked %s', (_, write) => {
    const secret = 'p@ss w0rd/"quoted"?+\\n~[x]';

    const redacted = redactorOf(secret).redact(`before ${write(secret)} after`);

    expect(redacted).toMatch(/^before .*after$/s);
    expect(redacted).toContain(mask);
    for (const form of [secret, encodeURIComponent(secret), btoa(secret).slice(0, 24)]) {
      expect(redacted).not.toContain(form);
    }
  });

  it.each([
    ['MY_API_TOKEN', 'correct-horse'],
    ['DB_PASSWORD', 'hunter2hunter2'],
    ['SERVICE_KEY', '0123456789abcdef'],
    ['SENTRY_DSN', 'https://abcdef0123@sentry.example/1'],
    ['SLACK_WEBHOOK_URL', 'https://hooks.example/services/T0000000/B0000000/aBcDeFgHiJkLmNoPqRsTuVwX'],
    ['APP_AUTH', 'abc/def+ghi='],
    ['ANTHROPIC_CUSTOM_HEADERS', 'X-Team: a8f7-e6d5-c4b3'],
  ])('is recognised by its name: %s', (name, value) => {
    expect(createRedactor({ [name]: value }).redact(`say ${value}!`)).toBe(`say ${mask}!`);
  });

  it.each([
    ['MAX_OUTPUT_TOKENS', '128000000'],
    ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
    ['AUTH_METHOD', 'password'],
    ['TOKEN_FILE', 'C:\\Users\\me\\token'],
    ['TOKEN_URL', 'https://login.example/oauth'],
    ['API_KEY', 'short'],
    ['COOKIE_TZ', 'Europe/Berlin'],
    ['EDITOR', 'a8f7-e6d5-c4b3'],
    ['SECRET_UNSET', undefined],
  ])('is not every value: %s=%s', (name, value) => {
    const text = `see ${value} here`;

    expect(createRedactor({ [name]: value }).redact(text)).toBe(text);
  });

  it('includes the password of any URL, encoded and decoded', () => {
    const redactor = createRedactor({ DATABASE_URL: 'postgres://me:s3cr%40t-word@db.example/x' });

    expect(redactor.redact('s3cr%40t-word, s3cr@t-word, db.example')).toBe(`${mask}, ${mask}, db.example`);
  });

  it('includes each line of a multi-line key, even with line numbers', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
    const redactor = createRedactor({
      DEPLOY_KEY: `-----BEGIN X-----\n${line}\nAb+/${line}\n-----END X-----`,
    });

    expect(redactor.redact(`     2→${line}\n`)).toBe(`     2→${mask}\n`);
  });

  it('never matches inside the mask', () => {
    expect(redactorOf('redacted').redact(`${mask} redacted`)).toBe(`${mask} redacted`);
  });
});

describe('a secret that is learned later', () => {
  it('is masked from then on', () => {
    const redactor = createRedactor({});
    const before = redactor.redact('tok-1a2b3c4d');
    redactor.learn(['tok-1a2b3c4d', 'production', 'Bearer zz-99-yy-88', `Basic ${btoa('me:pass-word-1')}`]);

    expect(before).toBe('tok-1a2b3c4d');
    expect(redactor.redact('tok-1a2b3c4d, production, zz-99-yy-88, pass-word-1')).toBe(
      `${mask}, production, ${mask}, ${mask}`,
    );
  });

  it('is remembered among thousands, and never displaces one of the environment', () => {
    const redactor = redactorOf('env-secret-1');
    redactor.learn(Array.from({ length: 2_000 }, (_, index) => `learnt-${index}-secret`));

    expect(redactor.redact('env-secret-1 learnt-1999-secret')).toBe(`${mask} ${mask}`);
  });
});

describe('redaction by pattern', () => {
  it.each([
    ['sk-ant-api03-abcDEF123456-_xyz'],
    ['sk-proj-abc123def456ghi789jkl'],
    ['sk_live_abcdefghij0123456789'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345'],
    ['github_pat_11ABCDEFG0123456789_abcdefghij'],
    ['glpat-abcdefghij0123456789'],
    ['xoxb-123456789012-abcdefGHIJKL'],
    ['AKIAIOSFODNN7EXAMPLE'],
    [`AIza${'a1-_B'.repeat(7)}`],
    ['ya29.a0AfH6SMBabcdefghijklmnop'],
    [`npm_${'a1B2'.repeat(9)}`],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'],
  ])('%s is masked in any position', (secret) => {
    expect(plain.redact(`a ${secret} b`)).toBe(`a ${mask} b`);
    expect(plain.redact(`KEY=${secret}`)).toBe(`KEY=${mask}`);
    expect(plain.redact(JSON.stringify(`\n${secret}\n`))).toBe(JSON.stringify(`\n${mask}\n`));
  });

  it.each([
    ['Authorization: Bearer abc123-def.456', `Authorization: Bearer ${mask}`],
    ['authorization: basic dXNlcjpwYXNzd29yZA==', `authorization: basic ${mask}`],
    ['password=hunter22 next', `password=${mask} next`],
    ['DB_PASSWORD=hunterab', `DB_PASSWORD=${mask}`],
    ["{'secret': 'abcdefgh'}", `{'secret': '${mask}'}`],
    ['{"clientSecret":"abcdefgh"}', `{"clientSecret":"${mask}"}`],
    [String.raw`"{\"apiKey\":\"abcdefgh\"}"`, String.raw`"{\"apiKey\":\"[redacted]\"}"`],
    ['token: ab12cd34ef', `token: ${mask}`],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', `aws_secret_access_key = ${mask}`],
    ['cli --api-key abc12345 --yes', `cli --api-key ${mask} --yes`],
    ['git clone https://me:pa55word@host.example/r.git', `git clone https://me:${mask}@host.example/r.git`],
  ])('%s', (text, redacted) => {
    expect(plain.redact(text)).toBe(redacted);
  });

  it('masks each line of a private key: raw, numbered and in JSON', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${line}\n${line}\nAb+/cd==\n-----END RSA PRIVATE KEY-----`;
    const numbered = key.replace(/\n/g, '\n     7→');

    for (const text of [key, numbered, JSON.stringify({ key }), JSON.stringify({ private_key: key })]) {
      const redacted = plain.redact(text);
      expect(redacted).not.toMatch(/MII|Ab\+/);
      expect(redacted).toContain('-----END RSA PRIVATE KEY-----');
    }
    expect(JSON.parse(plain.redact(JSON.stringify({ key })))).toHaveProperty('key');
  });

  it.each([
    'task-force-of-the-year-2026 and risk-1234567890-abcdefghij',
    'const token = parseToken(input); password: string; secret = config.secret',
    'export TOKEN=$(cat token.txt) && curl -H "X-Token: $TOKEN"',
    'max_tokens: 4096, "input_tokens":123456, tokens=12345678',
    'token == other1234, Token::from_1234, private_key=/home/me/id_rsa',
    'a bearer of good news, a basic understanding of internationalization',
    'password: "<your password>", password=, token=null',
    '{"resumeToken":"abcdef0123456789abcdef"}',
    'the file -----BEGIN PRIVATE KEY----- is a mark, not a key',
    'https://example.com:8080/a@b, git@github.com:me/repo.git, 2026-07-28T10:00:00Z',
    '3f2b8c1e-0000-4000-8000-0123456789ab, sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ])('does not mask: %s', (text) => {
    expect(plain.redact(text)).toBe(text);
  });

  it.each(['password="x1$(rm -rf ~)"', 'token=`id`', 'secret=abcdef;reboot', 'token: ab12cd34 rm'])(
    'never masks a command: %s',
    (text) => {
      expect(plain.redact(text)).toMatch(/rm|id|reboot/);
    },
  );
});

describe('a structured value', () => {
  it('is redacted at any depth, including keys, and otherwise unchanged', () => {
    const secret = 'v3ry-s3cret';
    const value = { a: [secret, 1, null, true], [`k ${secret}`]: { b: `x${secret}` }, none: undefined };

    expect(redactorOf(secret).redactValue(value)).toEqual({
      a: [mask, 1, null, true],
      [`k ${mask}`]: { b: `x${mask}` },
      none: undefined,
    });
    expect(value.a[0]).toBe(secret);
  });

  it('is masked where the key names a secret', () => {
    const value = {
      password: 'abcdefgh',
      apiKey: 'abcdefgh and more',
      secret: 12345678,
      token: 12,
      note: 'abcdefgh',
    };

    expect(plain.redactValue(value)).toEqual({
      password: mask,
      apiKey: `${mask} and more`,
      secret: mask,
      token: 12,
      note: 'abcdefgh',
    });
  });
});

describe('a value that never changes', () => {
  const secret = 'learnt-PLANTED-0918';

  it('is redacted once, however often it is shown', () => {
    const redactor = createRedactor({});
    const options = { systemPrompt: 'be kind' };

    const first = redactor.redactOnce(options);

    expect(first).toEqual(options);
    expect(redactor.redactOnce(options)).toBe(first);
  });

  it('is redacted again once another secret is known', () => {
    const redactor = createRedactor({});
    const options = { systemPrompt: `say ${secret}` };
    redactor.redactOnce(options);

    redactor.learn([secret]);
    const again = redactor.redactOnce(options);
    redactor.learn([secret]);

    expect(again).toEqual({ systemPrompt: `say ${mask}` });
    expect(redactor.redactOnce(options)).toBe(again);
  });
});
