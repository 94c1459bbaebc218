import type { GuardSettings } from '../guards.js';

/** The cookie of one address of the page. */
export interface PageCookie {
  read(request: Request): string | undefined;
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
    read(from) {
      const pairs = (from.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`));
      return found?.slice(name.length + 1);
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
