import { describe, expect, it } from 'vitest';
import { composeTokens } from '../../src/app/service/compose-tokens.js';
import { tokenCommands, type TokenCommandSettings } from '../../src/commands/token.js';
import { ConfigError } from '../../src/config/config-error.js';
import { tokenIdOf } from '../../src/http/auth/token-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const now = Date.UTC(2026, 0, 1);

function scene(changes: Partial<TokenCommandSettings> = {}) {
  const tokens = composeTokens(temporaryFolder());
  const settings = { tokens, lastUses: async () => ({}), principals: ['owner', 'alice'], now, ...changes };
  const run = (
    command: keyof typeof tokenCommands,
    operand: string | undefined,
    own: Readonly<Record<string, string>> = {},
    json = false,
  ) => tokenCommands[command]({ operand, own, json }, settings);
  return { tokens, settings, run };
}

describe('token create', () => {
  it('prints the token once', async () => {
    const { run, tokens } = scene();

    const text = await run('token create', 'laptop');

    const [, token = ''] = /Token \(shown only once\): (\S+)/.exec(text) ?? [];
    expect(text).toMatch(
      /^Created token laptop\. Principal: owner\. Scopes: call, approve\. Expires: never\.\n/,
    );
    expect(await tokens.find(token)).toMatchObject({ name: 'laptop', scopes: ['call', 'approve'] });
  });

  it('prints JSON for programs', async () => {
    const { run } = scene();

    const text = await run(
      'token create',
      'ci',
      { principal: 'alice', scope: 'admin,call', 'expires-days': '30' },
      true,
    );

    expect(JSON.parse(text)).toEqual({
      name: 'ci',
      principal: 'alice',
      scopes: ['call', 'admin'],
      expiresAt: '2026-01-31T00:00:00Z',
      token: expect.stringMatching(/^ccm_/),
    });
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['two words', {}, /^two words: must be a name of up to 64 letters/],
    ['oauth:alice', {}, /must be a name/],
    ['a', { principal: 'bob' }, /^--principal bob: not configured\. Principals: owner, alice\./],
    ['a', { scope: 'call,root' }, /^--scope call,root: must be one or more of call, approve, admin/],
    ['a', { scope: '' }, /must be one or more of/],
    ['a', { scope: 'approve' }, /^--scope approve: .* Pass --scope call,approve\.$/],
    ['a', { 'expires-days': '0' }, /^--expires-days 0: must be a whole number from 1 to 3650$/],
    ['a', { 'expires-days': '1e2' }, /must be a whole number/],
  ])('refuses %j %j and creates nothing', async (name, own, words) => {
    const { run, tokens } = scene();

    await expect(run('token create', name, own)).rejects.toThrow(ConfigError);
    await expect(run('token create', name, own)).rejects.toThrow(words);
    expect(await tokens.list()).toEqual([]);
  });
});

describe('token list', () => {
  it('shows each token with its expiry and last use, and no secret', async () => {
    const { run, tokens, settings } = scene();
    const base = { principal: 'owner', now } as const;
    await tokens.create({ ...base, name: 'old', scopes: ['call'], expiresAt: now });
    await tokens.create({ ...base, name: 'laptop', scopes: ['call', 'approve'] });
    const [old] = await tokens.list();
    if (old === undefined) throw new Error('no token was created');
    const lastUses = async () => ({ [tokenIdOf(old)]: now - 1_000 });

    const text = await tokenCommands['token list'](
      { operand: undefined, own: {}, json: false },
      { ...settings, lastUses },
    );
    const json = await run('token list', undefined, {}, true);

    expect(text.split('\n')).toEqual([
      'NAME    PRINCIPAL  SCOPES        CREATED               EXPIRES                         LAST USED',
      'old     owner      call          2026-01-01T00:00:00Z  2026-01-01T00:00:00Z (expired)  2025-12-31T23:59:59Z',
      'laptop  owner      call,approve  2026-01-01T00:00:00Z  never                           never',
      '',
    ]);
    expect(JSON.parse(json)).toMatchObject([
      { name: 'old', isExpired: true },
      { name: 'laptop', isExpired: false },
    ]);
    expect(json).not.toContain(old.sha256);
  });

  it('says how to create the first one', async () => {
    expect(await scene().run('token list', undefined)).toBe(
      'There are no tokens. Create one: claude-code-mcp token create <name>\n',
    );
  });
});

describe('token revoke', () => {
  it('revokes by name, and refuses a name that does not exist', async () => {
    const { run, tokens } = scene();
    await run('token create', 'laptop');

    expect(await run('token revoke', 'laptop')).toMatch(/^Revoked token laptop\./);
    await expect(run('token revoke', 'laptop')).rejects.toThrow(ConfigError);
    expect(await tokens.list()).toEqual([]);
  });
});
