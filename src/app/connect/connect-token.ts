import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { NoServiceError } from '../../bridge/failure.js';
import { owner } from '../../config/principals.js';
import { messageOf } from '../../core/errors.js';
import { replaceFile } from '../../files/atomic-write.js';
import { makeFolder, readOwnFile } from '../../files/own-file.js';
import { isMissing } from '../../files/regular-file.js';
import type { TokenFile } from '../../http/auth/token-file.js';

const maxBytes = 1_000;

/** Where the bridge keeps the token for the service of a state folder: with the keys, where no session works. */
export function connectTokenPath(keyFolder: string, stateDir: string): string {
  return join(keyFolder, `connect-${hashOf(stateDir, 16)}.token`);
}

/**
 * The name of the token in the list of the service. Each file has a token of its own: with a common name, clients with
 * different configuration folders would revoke the tokens of one another.
 */
export function connectTokenName(path: string): string {
  return `connect-${hashOf(path, 8)}`;
}

function hashOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/** The token of the bridge, which it creates once. Call it with the lock of the bridge. */
export async function connectToken(tokens: TokenFile, path: string): Promise<string> {
  const saved = await savedToken(path);
  if (saved === undefined) return createToken(tokens, path);
  if ((await tokens.find(saved)) !== undefined) return saved;
  throw new NoServiceError(
    `The token "${connectTokenName(path)}" of the service was revoked. To connect again, delete the file ${path}: the next start of this client creates another token.`,
  );
}

async function savedToken(path: string): Promise<string | undefined> {
  try {
    return (await readOwnFile(path, maxBytes)).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new NoServiceError(
      `The token of the service cannot be read (${messageOf(error)}). Check the file ${path}, or delete it: the next start of this client creates another token.`,
    );
  }
}

async function createToken(tokens: TokenFile, path: string): Promise<string> {
  const name = connectTokenName(path);
  // A token whose file was deleted is of no use to anyone.
  if ((await tokens.list()).some((token) => token.name === name)) await tokens.revoke(name);
  const token = await tokens.create({
    name,
    principal: owner,
    scopes: ['call', 'approve'],
    now: Date.now(),
  });
  makeFolder(dirname(path));
  await replaceFile(path, `${token}\n`);
  return token;
}
