/** An OAuth issuer on this machine: its metadata, its keys, and tokens that it signs. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { onTestFinished } from 'vitest';

export interface Issuer {
  readonly url: string;
  readonly jwksUrl: string;
  keys(): Promise<readonly JWK[]>;
  /** How often the keys were fetched. */
  readonly fetches: () => number;
  /** Answers with 500 until it is called again with false. */
  fail(isDown: boolean): void;
  /** From now on, answers this instead of its keys. */
  answer(keys: () => Promise<unknown>): void;
  sign(claims: JWTPayload, header?: Readonly<Record<string, string | undefined>>): Promise<string>;
}

export async function startIssuer(): Promise<Issuer> {
  const keyId = '0';
  const pair = await generateKeyPair('ES256');
  let isDown = false;
  const own = async () => [{ ...(await exportJWK(pair.publicKey)), kid: keyId, alg: 'ES256' }];
  let keys: () => Promise<unknown> = async () => ({ keys: await own() });
  let fetches = 0;
  const pages: Readonly<Record<string, () => Promise<unknown>>> = {
    '/.well-known/openid-configuration/tenant': async () => ({
      issuer: `${origin}/tenant`,
      jwks_uri: `${origin}/keys`,
    }),
    async '/keys'() {
      fetches += 1;
      return keys();
    },
  };
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (isDown || page === undefined) return void response.writeHead(isDown ? 500 : 404).end();
    void page().then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/tenant`,
    jwksUrl: `${origin}/keys`,
    keys: own,
    fetches: () => fetches,
    fail: (isNow) => void (isDown = isNow),
    answer: (instead) => void (keys = instead),
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'at+jwt', ...header })
        .sign(pair.privateKey),
  };
}
