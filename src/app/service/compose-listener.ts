import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigError, reasonOf } from '../../config/config-error.js';
import type { Settings } from '../../config/settings.js';
import { systemClock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import { authorityOf, isLoopback, isWildcard } from '../../core/net.js';
import type { Logger } from '../../core/observability/logger.js';
import { readRegularFileSync } from '../../files/regular-file.js';
import { guardsFor, type GuardSettings } from '../../http/guards.js';
import { defaultLimits } from '../../http/limits.js';
import { listen, type Listener, type TlsFiles } from '../../http/listener.js';

export interface Door {
  readonly listener: Listener;
  /** The address for clients, without a path. */
  readonly origin: string;
  readonly guards: GuardSettings;
}

type Address = Pick<
  Settings,
  'host' | 'port' | 'tlsCert' | 'tlsKey' | 'behindProxy' | 'publicUrl' | 'maxConnections'
>;

const maxPemBytes = 1_048_576;
/** Certificates are renewed weeks before they expire. */
const renewalCheckMs = 60_000;

/** The service of this state folder, if it runs. */
export type FindOwnService = () => Promise<{ readonly url: string; readonly pid: number } | undefined>;

/** Opens the port of the service, if it is safe to do so. Throws a ConfigError otherwise. */
export async function openDoor(
  settings: Address,
  logger: Logger,
  findOwn: FindOwnService = async () => undefined,
): Promise<Door> {
  const { port, behindProxy, publicUrl, maxConnections } = settings;
  // Never resolved, because its entry could point elsewhere.
  const host = settings.host === 'localhost' ? '127.0.0.1' : settings.host;
  refuseOpenAddress({ ...settings, host });
  const files = tlsPaths(settings);
  const tls = files && readTls(files);
  const listener = await listen({
    host,
    port,
    tls,
    isBehindProxy: behindProxy,
    limits: { ...defaultLimits, maxConnections },
    clock: systemClock,
    logger,
  }).catch(async (error: unknown) => {
    throw new ConfigError(await listenProblem(error, { host, port, findOwn }));
  });
  if (files !== undefined) renewWhenChanged(files, listener, logger);
  const origins = originsOf(listener, { host, publicUrl, isTls: tls !== undefined });
  const origin = publicUrl ?? listener.origin;
  return { listener, origin, guards: guardsFor(origins) };
}

/** Tokens must not cross a network unencrypted. */
function refuseOpenAddress({ host, tlsCert, behindProxy, publicUrl }: Address): void {
  if (isIP(host) === 0)
    throw new ConfigError(
      `--host ${host}: not an IP address. Use an address of this machine: 127.0.0.1 for this machine only, or 0.0.0.0 for all of its networks. Clients use the name in --public-url.`,
    );
  if (!isLoopback(host) && tlsCert === undefined && !behindProxy)
    throw new ConfigError(
      `--host ${host}: other machines can reach this address, and tokens would cross the network unencrypted. Set --tls-cert and --tls-key, or --behind-proxy if a reverse proxy with TLS is in front of the service.`,
    );
  if (isWildcard(host) && publicUrl === undefined)
    throw new ConfigError(
      `--host ${host}: the service must know the address that clients use, to refuse requests to other host names. Set --public-url, such as https://agents.example.com.`,
    );
}

/** Loopback addresses have several names. */
function originsOf(
  { port, origin }: Listener,
  place: { readonly host: string; readonly publicUrl: string | undefined; readonly isTls: boolean },
): string[] {
  const scheme = place.isTls ? 'https' : 'http';
  const names = isLoopback(place.host) || isWildcard(place.host) ? ['localhost', '127.0.0.1', '::1'] : [];
  const own = [origin, ...names.map((name) => `${scheme}://${authorityOf(name, port)}`)];
  return [
    ...own.map((url) => new URL(url).origin),
    ...(place.publicUrl === undefined ? [] : [place.publicUrl]),
  ];
}

interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

function tlsPaths({ tlsCert: cert, tlsKey: key }: Address): TlsPaths | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError('--tls-key needs --tls-cert, the file with its certificate.');
  if (key === undefined) throw new ConfigError('--tls-cert needs --tls-key, the file with its private key.');
  return { cert, key };
}

function readTls({ cert, key }: TlsPaths): TlsFiles {
  const tls = { cert: readPem('--tls-cert', cert), key: readPem('--tls-key', key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError(tlsProblem({ cert, key }, error));
  }
  refuseOutdated(cert, tls.cert);
  return tls;
}

function tlsProblem({ cert, key }: TlsPaths, error: unknown): string {
  const isOther =
    error instanceof Error && 'code' in error && error.code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH';
  return isOther
    ? `--tls-key ${key}: does not belong to the certificate in ${cert}. Name the key that the certificate was made with.`
    : `--tls-cert ${cert}, --tls-key ${key}: not a certificate and its private key in PEM format (${reasonOf(error)}).`;
}

/** Clients would refuse it, with errors that are hard to understand. */
function refuseOutdated(path: string, pem: string): void {
  const { validFrom, validTo } = new X509Certificate(pem);
  const now = Date.now();
  if (now > Date.parse(validTo))
    throw new ConfigError(`--tls-cert ${path}: this certificate expired on ${dateOf(validTo)}. Renew it.`);
  if (now < Date.parse(validFrom))
    throw new ConfigError(
      `--tls-cert ${path}: this certificate is valid from ${dateOf(validFrom)} on. Check the clock of this machine, or use another certificate.`,
    );
}

function dateOf(text: string): string {
  return new Date(text).toISOString().slice(0, 10);
}

function readPem(flag: string, path: string): string {
  try {
    return readRegularFileSync(path, maxPemBytes);
  } catch (error) {
    throw new ConfigError(
      `${flag} ${path}: could not be read (${reasonOf(error)}). Correct the path, or let the user of the service read the file.`,
    );
  }
}

/** A restart for every renewal would end all sessions. */
function renewWhenChanged(paths: TlsPaths, listener: Listener, logger: Logger): void {
  let last = stampOf(paths);
  const check = (): void => {
    const now = stampOf(paths);
    if (now === last) return;
    try {
      listener.renew(readTls(paths));
      last = now;
      logger.log('info', 'the TLS certificate was renewed');
    } catch (error) {
      // Perhaps only one of the two files is replaced yet.
      logger.log('warn', 'the new TLS certificate cannot be used; the service continues with the old one', {
        reason: messageOf(error),
      });
    }
  };
  setInterval(check, renewalCheckMs).unref();
}

function stampOf({ cert, key }: TlsPaths): string {
  return [cert, key].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
}

async function listenProblem(
  cause: unknown,
  { host, port, findOwn }: { readonly host: string; readonly port: number; readonly findOwn: FindOwnService },
): Promise<string> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    const own = await findOwn().catch(() => undefined);
    return own !== undefined && [String(port), ''].includes(new URL(own.url).port)
      ? `Your service already runs at ${own.url}, process ${own.pid}. To use it, give this address to your clients, or run: claude-code-mcp open. To stop it, run: claude-code-mcp serve stop`
      : `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port with --port (0: any free port).`;
  }
  if (code === 'EADDRNOTAVAIL')
    return `--host ${host}: this machine does not have this address. Use one of its own addresses, or 127.0.0.1 for this machine only.`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port} of ${host}. Choose a port from 1024 with --port.`;
  return `The service cannot listen on ${authorityOf(host, port)} (${reasonOf(cause)}). Choose another address with --host and --port.`;
}
