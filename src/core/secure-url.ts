import { isLoopback } from './net.js';

/** Whether nobody between here and the server of this URL can change what it answers: https, or this machine. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
