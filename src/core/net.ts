/** Whether an address or host name can be reached from this machine only. IPv6 may be in brackets. */
export function isLoopback(host: string): boolean {
  // Other names could point anywhere.
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(host);
}

/** Whether a server that listens on this address answers on every interface. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || /^\[?::\]?$/.test(host);
}

/** `host:port` as in a URL or a Host header. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** Whether the answers of this URL cannot be changed in transit: it uses https, or it is on this machine. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
