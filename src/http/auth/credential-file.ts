import type * as z from 'zod';
import { messageOf } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';
import { replaceFile } from '../../files/atomic-write.js';
import { NotOwnError, readOwnFile, versionOf, type OwnershipProblem } from '../../files/own-file.js';

/** The credentials cannot be read or changed. The message says why, and what to do. */
export class CredentialFileError extends Error {
  override readonly name = 'CredentialFileError';
}

/** Runs one change at a time. */
export type Exclusively = <T>(change: () => Promise<T>) => Promise<T>;

export interface CredentialFileSettings<T> {
  readonly path: string;
  readonly schema: () => z.ZodType<T>;
  /** What the file contains, in the singular: `token`. */
  readonly item: string;
  /** What to do once the file is deleted: `create new tokens`. */
  readonly renew: string;
  /** Runs one change at a time, across all processes. */
  readonly exclusively: Exclusively;
}

const maxBytes = 4 * 1_048_576;

/**
 * Credentials in a file that only this user can read or change. Several processes share it: each reads it again when it
 * has changed.
 */
export class CredentialFile<T> {
  readonly #settings: CredentialFileSettings<T>;
  #last: { readonly version: string; readonly content: T | undefined } | undefined;

  constructor(settings: CredentialFileSettings<T>) {
    this.#settings = settings;
  }

  get path(): string {
    return this.#settings.path;
  }

  /** Undefined if the file does not exist. Throws a CredentialFileError if it is damaged, or if others could have written it. */
  async read(): Promise<T | undefined> {
    const version = versionOf(this.path);
    if (this.#last?.version === version) return this.#last.content;
    this.#last = undefined;
    const content = version === '' ? undefined : await this.#parse();
    this.#last = { version, content };
    return content;
  }

  /** Replaces the content. Nothing changes if `change` throws, or if it returns the content that it received. */
  change<R>(change: (content: T | undefined) => Promise<readonly [T, R]> | readonly [T, R]): Promise<R> {
    return this.#settings.exclusively(async () => {
      const before = await this.read();
      const [after, result] = await change(before);
      if (after !== before) await this.#write(after);
      return result;
    });
  }

  async #write(content: T): Promise<void> {
    try {
      await replaceFile(this.path, `${JSON.stringify(content, undefined, 2)}\n`);
    } catch (error) {
      throw new CredentialFileError(
        `${this.path}: cannot be written (${messageOf(error)}). Nothing was changed. Check the disk and the permissions.`,
      );
    }
  }

  async #parse(): Promise<T> {
    const { schema, item, renew } = this.#settings;
    const { success, data } = schema().safeParse(parseJson(await this.#text()));
    if (success) return data;
    throw new CredentialFileError(
      `${this.path}: is damaged, so no ${item} is accepted. Restore it from a backup, or delete it and ${renew}.`,
    );
  }

  async #text(): Promise<string> {
    try {
      return await readOwnFile(this.path, maxBytes);
    } catch (error) {
      const problem =
        error instanceof NotOwnError
          ? problems[error.problem](this.#settings)
          : `cannot be read (${messageOf(error)}). Check its permissions.`;
      throw new CredentialFileError(`${this.path}: ${problem}`);
    }
  }
}

type Words = Pick<CredentialFileSettings<never>, 'path' | 'item' | 'renew'>;

const problems: Readonly<Record<OwnershipProblem, (words: Words) => string>> = {
  'symbolic-link': () => 'is a symbolic link. Replace it with the file itself.',
  'wrong-kind': () => 'is not a file. Move it away.',
  'writable-by-others': ({ path, item }) =>
    `can be changed by other users, so no ${item} in it is accepted. Check its ${item}s, then run: chmod 600 '${path}'`,
  'other-owner': ({ item, renew }) =>
    `belongs to another user, so no ${item} in it is accepted. Delete it and ${renew}.`,
};
