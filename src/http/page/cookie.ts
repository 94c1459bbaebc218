import type { GuardSettings } from '../guards.js';

/** The cookie of one address of the page. */
export interface PageCookie {
  /** All cookies with this name: programs at other ports and paths of the host can add some. */
  readAll(request: Request): readonly string[];
  /** The Set-Cookie header. Zero seconds remove it. */
  write(value: string, seconds: number): string;
}

/**
 * Browsers send cookies of a host to all its ports, so the name contains the port: two servers on one machine would
 * replace each other's cookies.
 */
export function cookieFor(request: Request, { origins }: Pick<GuardSettings, 'origins'>): PageCookie {
  const host = request.headers.get('host') ?? '';
  // Behind a proxy only the browser uses TLS.
  const isSecure = origins.has(new URL(`https://${host}`).origin);
  const { port } = new URL(`${isSecure ? 'https' : 'http'}://${host}`);
  const name = `${isSecure ? '__Host-' : ''}claude-code-mcp-${port || (isSecure ? 443 : 80)}`;
  return {
    readAll(from) {
      const pairs = (from.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
      const found = pairs.filter((pair) => pair.startsWith(`${name}=`));
      return found.map((pair) => pair.slice(name.length + 1));
    },
    write: (value, seconds) =>
      [
        `${name}=${value}`,
        'Path=/',
        `Max-Age=${seconds}`,
        'HttpOnly',
        'SameSite=Strict',
        ...(isSecure ? ['Secure'] : []),
      ].join('; '),
  };
}
