import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';
import { replaceFile } from '../../files/atomic-write.js';
import { NotOwnError, readOwnFile, versionOf, type OwnershipProblem } from '../../files/own-file.js';
import { scopes, type Scope } from './identity.js';

const tokenSchema = z.strictObject({
  name: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
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

/** The tokens cannot be read or changed. The message says why, and what to do. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

export interface TokenFileSettings {
  readonly stateDir: string;
  /** Runs one change at a time, across all processes. */
  readonly exclusively: <T>(change: () => Promise<T>) => Promise<T>;
}

/** Recognizable for people and for secret scanners. */
export const tokenPrefix = 'ccm_';

const maxBytes = 4 * 1_048_576;

interface Content {
  readonly version: string;
  /** Undefined: the file does not exist. */
  readonly tokens: readonly SavedToken[] | undefined;
}

/** The named tokens in the state folder. Only their hashes are saved. */
export class TokenFile {
  readonly path: string;
  readonly #exclusively: TokenFileSettings['exclusively'];
  #content: Content | undefined;

  constructor({ stateDir, exclusively }: TokenFileSettings) {
    this.path = join(stateDir, 'tokens.json');
    this.#exclusively = exclusively;
  }

  /** Throws a TokenFileError if the file is damaged, or if other users could have written it. */
  async list(): Promise<readonly SavedToken[]> {
    return (await this.#read()) ?? [];
  }

  /** Returns the token, which cannot be read again. */
  create(wanted: NewToken): Promise<string> {
    return this.#exclusively(async () => {
      const saved = await this.list();
      if (saved.some(({ name }) => name === wanted.name))
        throw new TokenFileError(
          `a token named ${wanted.name} already exists. Choose another name, or revoke it first: claude-code-mcp token revoke ${wanted.name}`,
        );
      return this.#add(saved, wanted);
    });
  }

  /** Undefined if there is a list of tokens already, even an empty one. */
  createFirst(wanted: NewToken): Promise<string | undefined> {
    return this.#exclusively(async () =>
      (await this.#read()) === undefined ? this.#add([], wanted) : undefined,
    );
  }

  revoke(name: string): Promise<void> {
    return this.#exclusively(async () => {
      const saved = await this.list();
      const left = saved.filter((token) => token.name !== name);
      if (left.length === saved.length)
        throw new TokenFileError(
          `there is no token named ${name}. List the names with: claude-code-mcp token list`,
        );
      await this.#write(left);
    });
  }

  /** Undefined for a token that does not exist or was revoked. */
  async find(token: string): Promise<SavedToken | undefined> {
    const hash = Buffer.from(hashOf(token));
    return (await this.list()).find(({ sha256 }) => timingSafeEqual(Buffer.from(sha256), hash));
  }

  async #add(saved: readonly SavedToken[], wanted: NewToken): Promise<string> {
    const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
    const { name, principal, scopes: granted, now, expiresAt } = wanted;
    const added = { name, principal, scopes: [...granted], sha256: hashOf(token), createdAt: now, expiresAt };
    await this.#write([...saved, added]);
    return token;
  }

  async #write(tokens: readonly SavedToken[]): Promise<void> {
    try {
      await replaceFile(this.path, `${JSON.stringify({ tokens }, undefined, 2)}\n`);
    } catch (error) {
      throw new TokenFileError(
        `${this.path}: cannot be written (${messageOf(error)}). Nothing was changed. Check the disk and the permissions.`,
      );
    }
  }

  /** Reads the file again only if it has changed. Other processes create and revoke tokens while the service runs. */
  async #read(): Promise<readonly SavedToken[] | undefined> {
    const version = versionOf(this.path);
    if (this.#content?.version === version) return this.#content.tokens;
    this.#content = undefined;
    const tokens = version === '' ? undefined : await this.#parse();
    this.#content = { version, tokens };
    return tokens;
  }

  async #parse(): Promise<readonly SavedToken[]> {
    const { success, data } = fileSchema.safeParse(parseJson(await this.#text()));
    if (success) return data.tokens;
    throw new TokenFileError(
      `${this.path}: is damaged, so no token is accepted. Restore it from a backup, or delete it and create new tokens.`,
    );
  }

  async #text(): Promise<string> {
    try {
      return await readOwnFile(this.path, maxBytes);
    } catch (error) {
      const problem =
        error instanceof NotOwnError
          ? problems[error.problem](this.path)
          : `cannot be read (${messageOf(error)}). Check its permissions.`;
      throw new TokenFileError(`${this.path}: ${problem}`);
    }
  }
}

const problems: Readonly<Record<OwnershipProblem, (path: string) => string>> = {
  'symbolic-link': () => 'is a symbolic link. Replace it with the file itself.',
  'wrong-kind': () => 'is not a file. Move it away.',
  'writable-by-others': (path) =>
    `can be changed by other users, so no token in it is accepted. Check its tokens, then run: chmod 600 '${path}'`,
  'other-owner': () =>
    'belongs to another user, so no token in it is accepted. Delete it and create new tokens.',
};

/** Identifies a token without revealing it. */
export function tokenIdOf({ sha256 }: SavedToken): string {
  return sha256.slice(0, 16);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
