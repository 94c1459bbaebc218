import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectToken, connectTokenName, connectTokenPath } from '../../src/app/connect/connect-token.js';
import { TokenFile } from '../../src/http/auth/token-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

function startPlace() {
  const folder = temporaryFolder();
  const path = connectTokenPath(join(folder, 'keys'), folder);
  return { path, tokens: new TokenFile({ stateDir: folder, exclusively: (change) => change() }) };
}

it('the bridge creates a token once, in a private file', async () => {
  const { tokens, path } = startPlace();

  const token = await connectToken(tokens, path);
  const again = await connectToken(tokens, path);

  expect(again).toBe(token);
  expect(await tokens.list()).toMatchObject([
    { name: connectTokenName(path), principal: 'owner', scopes: ['call', 'approve'] },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('a revoked token is not replaced in silence', async () => {
  const { tokens, path } = startPlace();
  await connectToken(tokens, path);

  await tokens.revoke(connectTokenName(path));

  await expect(connectToken(tokens, path)).rejects.toThrow(
    `The token "${connectTokenName(path)}" of the service was revoked. To connect again, delete the file ${path}`,
  );
  expect(await tokens.list()).toEqual([]);
});

it('a token whose file was deleted is revoked and replaced', async () => {
  const { tokens, path } = startPlace();
  const lost = await connectToken(tokens, path);

  rmSync(path);
  const token = await connectToken(tokens, path);

  expect([await tokens.find(lost), await tokens.find(token)]).toMatchObject([
    undefined,
    { name: connectTokenName(path) },
  ]);
});

it('clients with different configuration folders keep their own tokens for the same service', async () => {
  const { tokens, path } = startPlace();
  const elsewhere = join(temporaryFolder(), 'connect.token');

  const first = await connectToken(tokens, path);
  const second = await connectToken(tokens, elsewhere);

  expect([await connectToken(tokens, path), await connectToken(tokens, elsewhere)]).toEqual([first, second]);
});

it('each state folder has a token of its own', () => {
  expect(connectTokenPath('/keys', '/a')).not.toBe(connectTokenPath('/keys', '/b'));
});
