import { join } from 'node:path';
import * as z from 'zod';
import { CredentialFile, type Exclusively } from '../auth/credential-file.js';
import { hashOf, hasHash, newSecret, sha256Pattern } from '../auth/secrets.js';

const pairingSchema = z.strictObject({
  sha256: z.string().regex(sha256Pattern),
  principal: z.string(),
  expiresAt: z.number(),
});

const fileSchema = z.strictObject({ pairings: z.array(pairingSchema) });

type Pairing = z.infer<typeof pairingSchema>;

export const pairingLifetimeMs = 120_000;
/** More than anyone needs: most people pair a single browser at a time. */
const maxPairings = 20;

/** Codes that each pair one device. A command creates them, and the page of another process accepts them. */
export class PairingCodes {
  readonly #file: CredentialFile<z.infer<typeof fileSchema>>;

  constructor({ folder, exclusively }: { readonly folder: string; readonly exclusively: Exclusively }) {
    this.#file = new CredentialFile({
      path: join(folder, 'pairings.json'),
      schema: () => fileSchema,
      item: 'pairing code',
      renew: 'run "claude-code-mcp open" again',
      exclusively,
    });
  }

  create({ principal, now }: { readonly principal: string; readonly now: number }): Promise<string> {
    return this.#file.change((content) => {
      const code = newSecret();
      const added = { sha256: hashOf(code), principal, expiresAt: now + pairingLifetimeMs };
      const open = (content?.pairings ?? []).filter((pairing) => isOpen(pairing, now));
      return [{ pairings: [...open, added].slice(-maxPairings) }, code];
    });
  }

  /** The principal that the code is for. Undefined if it is unknown, expired or used. */
  async use(code: string, now: number): Promise<string | undefined> {
    const find = ({ pairings = [] }: { readonly pairings?: readonly Pairing[] } = {}): Pairing | undefined =>
      pairings.find((pairing) => hasHash(code, pairing.sha256) && isOpen(pairing, now));
    // Strangers must not be able to keep the lock busy.
    if (find(await this.#file.read()) === undefined) return undefined;
    return this.#file.change((content = { pairings: [] }) => {
      const found = find(content);
      if (found === undefined) return [content, undefined];
      return [{ pairings: content.pairings.filter((pairing) => pairing !== found) }, found.principal];
    });
  }
}

/** Also if the system clock was set back. */
function isOpen({ expiresAt }: Pairing, now: number): boolean {
  return expiresAt > now && expiresAt <= now + pairingLifetimeMs;
}
