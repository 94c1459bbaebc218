import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../files/atomic-write.js';
import { readJsonFile } from '../../files/json-file.js';
import { scopes, type Identity, type Scope } from './identity.js';

const tokenSchema = z.object({
  name: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  sha256: z.string(),
  createdAt: z.number(),
});

const fileSchema = z.object({ tokens: z.array(tokenSchema) });

export type SavedToken = Readonly<z.infer<typeof tokenSchema>>;

/** Recognizable for people and for secret scanners. */
const prefix = 'ccm_';

/** The named tokens in the state folder. Only their hashes are saved. */
export class TokenFile {
  readonly #path: string;

  constructor(stateDir: string) {
    this.#path = join(stateDir, 'tokens.json');
  }

  async list(): Promise<readonly SavedToken[]> {
    const { success, data } = fileSchema.safeParse(await readJsonFile(this.#path));
    return success ? data.tokens : [];
  }

  /** Returns the token, which cannot be read again. */
  async create(wanted: {
    readonly name: string;
    readonly principal: string;
    readonly scopes: readonly Scope[];
    readonly now: number;
  }): Promise<string> {
    const token = `${prefix}${randomBytes(32).toString('base64url')}`;
    const { name, principal, scopes: granted, now } = wanted;
    const saved = { name, principal, scopes: granted, sha256: hashOf(token), createdAt: now };
    await replaceFile(this.#path, JSON.stringify({ tokens: [...(await this.list()), saved] }, undefined, 2));
    return token;
  }

  /** Undefined for a token that does not exist or was revoked. */
  async identify(token: string): Promise<Identity | undefined> {
    const hash = Buffer.from(hashOf(token));
    const found = (await this.list()).find(({ sha256 }) => {
      const saved = Buffer.from(sha256);
      return saved.length === hash.length && timingSafeEqual(saved, hash);
    });
    return found && { principal: found.principal, credential: found.name, scopes: found.scopes };
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
