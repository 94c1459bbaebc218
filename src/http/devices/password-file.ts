import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { CredentialFile, type Exclusively } from '../auth/credential-file.js';

const passwordSchema = z.strictObject({
  salt: z.string(),
  hash: z.string(),
  /** The cost of one guess, in terms of scrypt. */
  cost: z.int().min(16_384).max(1_048_576),
});

const fileSchema = z.strictObject({ password: passwordSchema.nullable() });

type Password = z.infer<typeof passwordSchema>;

export const minPasswordChars = 12;
export const maxPasswordChars = 1_000;
const cost = 32_768;
const hashBytes = 32;

/** Strangers at many addresses must not keep the owner waiting. */
const maxWaiting = 10;

/** The password of the owner. Optional: a pairing link works without one. */
export class PasswordFile {
  readonly #file: CredentialFile<z.infer<typeof fileSchema>>;
  #guesses: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ folder, exclusively }: { readonly folder: string; readonly exclusively: Exclusively }) {
    this.#file = new CredentialFile({
      path: join(folder, 'password.json'),
      schema: () => fileSchema,
      item: 'password',
      renew: 'set the password again with "claude-code-mcp device password"',
      exclusively,
    });
  }

  async isSet(): Promise<boolean> {
    return (await this.#saved()) !== null;
  }

  async set(password: string): Promise<void> {
    const salt = randomBytes(16).toString('base64url');
    const hash = (await derived(password, { salt, cost })).toString('base64url');
    await this.#file.change(() => [{ password: { salt, hash, cost } }, undefined]);
  }

  /** False if there was none. */
  remove(): Promise<boolean> {
    return this.#file.change((content = { password: null }) =>
      content.password === null ? [content, false] : [{ password: null }, true],
    );
  }

  /** One guess at a time, because each needs much memory. Undefined if too many wait. */
  async matches(password: string): Promise<boolean | undefined> {
    if (this.#waiting >= maxWaiting) return undefined;
    this.#waiting += 1;
    try {
      return await this.#guess(password);
    } finally {
      this.#waiting -= 1;
    }
  }

  #guess(password: string): Promise<boolean> {
    const guess = this.#guesses.then(async () => {
      const saved = await this.#saved();
      if (saved === null || password.length > maxPasswordChars) return false;
      const expected = Buffer.from(saved.hash, 'base64url');
      return expected.length === hashBytes && timingSafeEqual(await derived(password, saved), expected);
    });
    this.#guesses = guess.catch(() => undefined);
    return guess;
  }

  async #saved(): Promise<Password | null> {
    return (await this.#file.read())?.password ?? null;
  }
}

function derived(password: string, { salt, cost: N }: Pick<Password, 'salt' | 'cost'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same text can be typed in several encodings.
    const options = { N, r: 8, p: 1, maxmem: 256 * N * 8 };
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
