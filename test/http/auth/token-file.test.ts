import { chmodSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeTokens } from '../../../src/app/service/compose-tokens.js';
import { CredentialFileError } from '../../../src/http/auth/credential-file.js';
import type { NewToken } from '../../../src/http/auth/token-file.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const laptop: NewToken = {
  name: 'laptop',
  principal: 'owner',
  scopes: ['call', 'approve'],
  now: 1_000,
  expiresAt: 2_000,
};

function scene() {
  const stateDir = temporaryFolder();
  return {
    tokens: composeTokens(stateDir),
    others: composeTokens(stateDir),
    path: join(stateDir, 'tokens.json'),
  };
}

describe('the tokens of the state folder', () => {
  it('are found by their text, of which only a hash is saved', async () => {
    const { tokens, path } = scene();

    const token = await tokens.create(laptop);

    expect(token).toMatch(/^ccm_[\w-]{43}$/);
    expect(readFileSync(path, 'utf8')).not.toContain(token.slice(4));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await tokens.find(token)).toEqual({
      name: 'laptop',
      principal: 'owner',
      scopes: ['call', 'approve'],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: 1_000,
      expiresAt: 2_000,
    });
    expect(await tokens.find(`${token}x`)).toBeUndefined();
  });

  it('change at once for a process that has read them before', async () => {
    const { tokens, others } = scene();
    const token = await others.create(laptop);
    const before = await tokens.find(token);

    await others.revoke('laptop');

    expect(before).toMatchObject({ name: 'laptop' });
    expect(await tokens.find(token)).toBeUndefined();
  });

  it('are all kept when several processes create some at the same time', async () => {
    const { tokens, others } = scene();
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);

    await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? tokens : others).create({ ...laptop, name })),
    );

    expect((await tokens.list()).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('begin with one first token, which is not created again after the last one is revoked', async () => {
    const { tokens, others } = scene();

    const created = await Promise.all([tokens.createFirst(laptop), others.createFirst(laptop)]);
    await tokens.revoke('laptop');
    const again = await tokens.createFirst(laptop);

    expect(created.filter((token) => token !== undefined)).toHaveLength(1);
    expect(again).toBeUndefined();
  });

  it('have different names, and are revoked by name', async () => {
    const { tokens } = scene();
    await tokens.create(laptop);

    await expect(tokens.create(laptop)).rejects.toThrow(
      /^a token named laptop already exists\. Choose another name/,
    );
    await expect(tokens.revoke('phone')).rejects.toThrow('there is no token named phone.');
    expect(await tokens.list()).toHaveLength(1);
  });
});

describe('a file of tokens that cannot be trusted', () => {
  const spoil: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
    'is cut off': [(path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10)), /is damaged/],
    'is empty': [(path) => writeFileSync(path, ''), /is damaged/],
    'has an unknown scope': [
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('approve', 'everything')),
      /is damaged/,
    ],
    'can be changed by others': [(path) => chmodSync(path, 0o666), /chmod 600/],
    'is a link': [
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
      /is a symbolic link/,
    ],
  };

  it.each(Object.entries(spoil))(
    'accepts no token and is not overwritten: it %s',
    async (_how, [change, words]) => {
      const { tokens, path } = scene();
      const token = await tokens.create(laptop);
      expect(await tokens.find(token)).toBeDefined();
      change(path);
      const spoilt = readFileSync(path, 'utf8');

      await expect(tokens.find(token)).rejects.toThrow(CredentialFileError);
      await expect(tokens.find(token)).rejects.toThrow(words);
      await expect(tokens.createFirst(laptop)).rejects.toThrow(CredentialFileError);
      await expect(tokens.create({ ...laptop, name: 'other' })).rejects.toThrow(CredentialFileError);
      expect(readFileSync(path, 'utf8')).toBe(spoilt);
    },
  );
});
