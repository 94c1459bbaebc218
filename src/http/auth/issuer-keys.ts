import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import type { Clock } from '../../core/clock.js';
import { isObject, ownValue, parseJson } from '../../core/json.js';
import { isSecureUrl } from '../../core/net.js';
import { BodyBuffer } from '../body/body-buffer.js';

export interface IssuerKeysSettings {
  readonly issuer: string;
  /** Undefined: the metadata of the issuer names it. */
  readonly jwksUrl: string | undefined;
  readonly clock: Clock;
}

/** The keys of the issuer cannot be fetched at the moment. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const timeoutMs = 5_000;
/** Time between two attempts to reach an issuer that does not answer. */
const retryAfterMs = 5_000;

/** Far more than the metadata and the keys of an issuer take. */
const maxAnswerBytes = 1_048_576;

/** Keys that were fetched this long ago still count while the issuer does not answer. */
const staleMs = 3_600_000;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Finds the public key of a token. Keys are cached, and fetched again when a token names an unknown one. If that fails,
 * the cached ones still count: otherwise a token with an invented key could keep everyone out during an outage.
 */
export function issuerKeys({ issuer, jwksUrl, clock }: IssuerKeysSettings): JWTVerifyGetKey {
  let keys: Promise<RemoteKeys> | undefined;
  let fetchedAt = 0;
  let failure: { readonly at: number; readonly error: KeysUnavailable } | undefined;
  const fetchNow: FetchImplementation = async (url, options) => {
    const response = await fetchKeys(url, options);
    fetchedAt = clock.elapsed();
    return response;
  };
  const note = (error: unknown): KeysUnavailable => {
    const reason = error instanceof Error ? error.message : String(error);
    const unavailable = new KeysUnavailable(`${issuer}: ${reason}`, { cause: error });
    failure = { at: clock.elapsed(), error: unavailable };
    return unavailable;
  };
  const fromCache = async (
    unavailable: KeysUnavailable,
    [header, token]: Parameters<JWTVerifyGetKey>,
  ): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> => {
    const cached = (await keys)?.jwks();
    if (cached === undefined || clock.elapsed() - fetchedAt > staleMs) throw unavailable;
    return createLocalJWKSet(cached)(header, token).catch((error: unknown) => {
      // The issuer may have this key by now.
      throw error instanceof errors.JWKSNoMatchingKey ? unavailable : error;
    });
  };
  return async (header, token) => {
    if (failure !== undefined && clock.elapsed() - failure.at < retryAfterMs)
      return fromCache(failure.error, [header, token]);
    keys ??= (jwksUrl === undefined ? discover(issuer) : Promise.resolve(jwksUrl)).then((url) =>
      createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs, [customFetch]: fetchNow }),
    );
    const find = await keys.catch((error: unknown) => {
      keys = undefined;
      throw note(error);
    });
    try {
      return await find(header, token);
    } catch (error) {
      // Any other error concerns this token only, such as an unknown key, and must not keep others out.
      if (isAboutIssuer(error)) return fromCache(note(error), [header, token]);
      throw error;
    }
  };
}

class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

const fetchKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options).catch((error: unknown) => {
    throw new Unreachable(`${url} cannot be reached`, { cause: error });
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Unreachable(`${url} answered with status ${response.status}`);
  }
  const found = await answerOf(response, url);
  const keys = ownValue(found, 'keys');
  if (!Array.isArray(keys) || !keys.every(isObject)) throw new Unreachable(`${url} answered without keys`);
  return Response.json(found);
};

/** The JSON of an answer; undefined if it is none. */
async function answerOf({ body }: Response, url: string): Promise<unknown> {
  const read = new BodyBuffer(maxAnswerBytes);
  for await (const chunk of body ?? []) {
    if (!read.add(chunk)) throw new Unreachable(`${url} sends more than ${maxAnswerBytes} bytes`);
  }
  return parseJson(read.take().toString('utf8'));
}

function isAboutIssuer(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  );
}

/** The metadata of OAuth (RFC 8414) or OpenID Connect. */
async function discover(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  for (const url of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const metadata = response.ok ? await answerOf(response, url) : await response.body?.cancel();
    if (!isObject(metadata)) continue;
    if (metadata['issuer'] !== issuer) throw new Error(`${url} describes another issuer`);
    const { jwks_uri: found } = metadata;
    if (typeof found === 'string' && isSecureUrl(found)) return found;
    throw new Error(`${url} has no jwks_uri with https`);
  }
  throw new Error('no metadata found. Set CLAUDE_CODE_MCP_OAUTH_JWKS_URL.');
}
