import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { canonicalHash } from '../core/canonical-hash.js';
import { messageOf } from '../core/errors.js';
import type { Logger } from '../core/observability/logger.js';
import { createOnce } from '../files/create-once.js';
import { makeFolder, NotOwnError, ownershipProblem } from '../files/own-file.js';
import { openPrivateFile } from '../files/private-file.js';
import { isMissing } from '../files/regular-file.js';
import type { SessionRecord } from './record.js';

export interface SealSettings {
  /** Outside the state folder, so that write access to records does not include the key. */
  readonly keyPath: string;
  readonly logger: Logger;
}

export type SavedGrants = NonNullable<SessionRecord['grants']>;

/** What the seal covers: grants count for one session and one folder only. */
export interface SealedGrants {
  readonly sessionId: string;
  readonly cwd: string;
  readonly grants: SavedGrants;
}

export type SealedOptions = Pick<SessionRecord, 'sessionId' | 'options'>;

/**
 * Grants let calls run without approval, and options decide which tools a session has. A session runs as the same user
 * and could write some into its own record, so each record carries a MAC of both.
 */
export class GrantSeal {
  readonly #settings: SealSettings;
  #key: Buffer | undefined;
  #hasFailed = false;

  constructor(settings: SealSettings) {
    this.#settings = settings;
  }

  /** Undefined if there can be no key: then the grants must not be saved. */
  macOf(sealed: SealedGrants): string | undefined {
    return this.#seal(grantsText(sealed));
  }

  /** Undefined if there can be no key: then the next server does not trust the options. */
  optionsMacOf(sealed: SealedOptions): string | undefined {
    return this.#seal(optionsText(sealed));
  }

  /** The grants of a record, unless someone else may have written them. */
  open({ sessionId, grants, grantsMac, options }: SessionRecord): SavedGrants | undefined {
    if (grants === undefined || isEmpty(grants)) return grants;
    if (this.#isGenuine(grantsText({ sessionId, cwd: options.cwd, grants }), grantsMac ?? '')) return grants;
    this.#log('saved approvals of a session were dropped, because their MAC is missing or wrong', {
      sessionId,
    });
    return undefined;
  }

  /** Whether a server has written the options of a record. */
  hasOwnOptions(record: SessionRecord): boolean {
    if (this.#isGenuine(optionsText(record), record.optionsMac ?? '')) return true;
    this.#log('saved options of a session are not trusted, because their MAC is missing or wrong', {
      sessionId: record.sessionId,
    });
    return false;
  }

  /** Creates the key if there is none. */
  #seal(text: string): string | undefined {
    try {
      this.#key ??= this.#read() ?? this.#create();
    } catch (error) {
      if (!this.#hasFailed)
        this.#log('approvals and options of sessions cannot be sealed', { reason: messageOf(error) });
      this.#hasFailed = true;
      return undefined;
    }
    return macWith(this.#key, text);
  }

  #isGenuine(text: string, mac: string): boolean {
    try {
      this.#key ??= this.#read();
    } catch (error) {
      this.#log('the key that seals approvals and options cannot be used', { reason: messageOf(error) });
    }
    if (this.#key === undefined) return false;
    const [found, expected] = [Buffer.from(mac), Buffer.from(macWith(this.#key, text))];
    return found.length === expected.length && timingSafeEqual(found, expected);
  }

  #read(): Buffer | undefined {
    const { keyPath } = this.#settings;
    try {
      const { descriptor, isReadableByOthers } = openPrivateFile(keyPath, constants.O_RDONLY);
      try {
        const problem = ownershipProblem(fstatSync(descriptor), 'file');
        if (problem !== undefined) throw new NotOwnError(keyPath, problem);
        if (isReadableByOthers) throw new Error(`${keyPath} is readable by other users`);
        return parseKey(keyPath, readFileSync(descriptor, 'utf8'));
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #create(): Buffer {
    const { keyPath } = this.#settings;
    makeFolder(dirname(keyPath));
    createOnce(keyPath, `${randomBytes(keyBytes).toString('hex')}\n`);
    // Another server may have been first.
    const key = this.#read();
    if (key === undefined) throw new Error(`${keyPath} has disappeared`);
    return key;
  }

  #log(message: string, fields: Readonly<Record<string, string>>): void {
    this.#settings.logger.log('warn', message, fields);
  }
}

export function isEmpty({ calls, rules }: SavedGrants): boolean {
  return calls.length === 0 && rules.length === 0;
}

const keyBytes = 32;

function macWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function grantsText({ sessionId, cwd, grants }: SealedGrants): string {
  return JSON.stringify(['grants', sessionId, cwd, hashOf(grants)]);
}

function optionsText({ sessionId, options }: SealedOptions): string {
  return JSON.stringify(['options', sessionId, hashOf(options)]);
}

/** Of the value as a file contains it: without undefined values. */
function hashOf(value: object): string {
  return canonicalHash(JSON.parse(JSON.stringify(value)));
}

function parseKey(path: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length !== keyBytes) throw new Error(`${path} does not contain a key`);
  return key;
}
