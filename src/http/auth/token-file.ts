import { join } from 'node:path';
import * as z from 'zod';
import { CredentialFile, CredentialFileError, type Exclusively } from './credential-file.js';
import { scopes, type Scope } from './identity.js';
import { hashOf, hasHash, newSecret, sha256Pattern } from './secrets.js';

const tokenSchema = z.strictObject({
  name: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  sha256: z.string().regex(sha256Pattern),
  createdAt: z.number(),
  /** In milliseconds since 1970, like createdAt. */
  expiresAt: z.number().optional(),
});

const fileSchema = z.strictObject({ tokens: z.array(tokenSchema) });

export type SavedToken = Readonly<z.infer<typeof tokenSchema>>;

export interface NewToken {
  readonly name: string;
  readonly principal: string;
  readonly scopes: readonly Scope[];
  readonly now: number;
  readonly expiresAt?: number | undefined;
}

export interface TokenFileSettings {
  readonly stateDir: string;
  /** Runs one change at a time, across all processes. */
  readonly exclusively: Exclusively;
}

/** Recognizable for people and for secret scanners. */
export const tokenPrefix = 'ccm_';

/** The named tokens in the state folder. Only their hashes are saved. */
export class TokenFile {
  readonly #file: CredentialFile<Readonly<z.infer<typeof fileSchema>>>;

  constructor({ stateDir, exclusively }: TokenFileSettings) {
    this.#file = new CredentialFile({
      path: join(stateDir, 'tokens.json'),
      schema: () => fileSchema,
      item: 'token',
      renew: 'create new tokens',
      exclusively,
    });
  }

  /** Throws a CredentialFileError if the file is damaged, or if other users could have written it. */
  async list(): Promise<readonly SavedToken[]> {
    return (await this.#file.read())?.tokens ?? [];
  }

  /** Returns the token, which cannot be read again. */
  create(wanted: NewToken): Promise<string> {
    return this.#file.change(({ tokens } = { tokens: [] }) => {
      if (tokens.some(({ name }) => name === wanted.name))
        throw new CredentialFileError(
          `a token named ${wanted.name} already exists. Choose another name, or revoke it first: claude-code-mcp token revoke ${wanted.name}`,
        );
      const { token, saved } = newToken(wanted);
      return [{ tokens: [...tokens, saved] }, token];
    });
  }

  /** Undefined if there is a list of tokens already, even an empty one. */
  createFirst(wanted: NewToken): Promise<string | undefined> {
    return this.#file.change((content) => {
      if (content !== undefined) return [content, undefined];
      const { token, saved } = newToken(wanted);
      return [{ tokens: [saved] }, token];
    });
  }

  revoke(name: string): Promise<void> {
    return this.#file.change(({ tokens } = { tokens: [] }) => {
      const left = tokens.filter((token) => token.name !== name);
      if (left.length === tokens.length)
        throw new CredentialFileError(
          `there is no token named ${name}. List the names with: claude-code-mcp token list`,
        );
      return [{ tokens: left }, undefined];
    });
  }

  /** Undefined for a token that does not exist or was revoked. */
  async find(token: string): Promise<SavedToken | undefined> {
    return (await this.list()).find(({ sha256 }) => hasHash(token, sha256));
  }
}

/** Identifies a token without revealing it. */
export function tokenIdOf({ sha256 }: SavedToken): string {
  return sha256.slice(0, 16);
}

/** When each token was last used. */
export function tokenUsesPath(stateDir: string): string {
  return join(stateDir, 'tokens-used.json');
}

function newToken({ now, scopes: granted, ...rest }: NewToken): {
  readonly token: string;
  readonly saved: z.infer<typeof tokenSchema>;
} {
  const token = `${tokenPrefix}${newSecret()}`;
  return { token, saved: { ...rest, scopes: [...granted], sha256: hashOf(token), createdAt: now } };
}
