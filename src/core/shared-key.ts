/** Other versions and ciphers would accept a certificate in place of the key. */
const tls = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305:PSK-AES256-GCM-SHA384',
} as const;

const identity = 'connect';

/** TLS for a server whose clients know this key. Each end proves to the other that it does. */
export function serverTls(key: string) {
  const psk = Buffer.from(key, 'base64url');
  return { ...tls, pskCallback: (_socket: unknown, name: string) => (name === identity ? psk : null) };
}

/** TLS for a client of such a server. Nothing is sent to a server that does not know the key. */
export function clientTls(key: string) {
  const psk = Buffer.from(key, 'base64url');
  return {
    ...tls,
    pskCallback: () => ({ psk, identity }),
    // There is no certificate that could have a name.
    checkServerIdentity: () => undefined,
  };
}
