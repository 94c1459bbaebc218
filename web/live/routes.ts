import { useLayoutEffect, useState } from 'preact/hooks';

/** Screens are named by the hash, so that the server knows a single document. */
export type Route =
  | { readonly screen: 'inbox'; readonly requestId?: string }
  | { readonly screen: 'sessions' | 'new' | 'usage' | 'devices' }
  | { readonly screen: 'session'; readonly sessionId: string; readonly tab?: 'changes' }
  | { readonly screen: 'pair'; readonly code: string };

function readRoute(hash: string): Route {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const code = fields.get('pair');
  if (code !== null) return { screen: 'pair', code };
  const requestId = fields.get('request');
  if (requestId !== null) return { screen: 'inbox', requestId };
  const sessionId = fields.get('session');
  if (sessionId !== null) {
    return { screen: 'session', sessionId, ...(fields.has('changes') && { tab: 'changes' }) };
  }
  const screen = (['sessions', 'new', 'usage', 'devices'] as const).find((name) => fields.has(name));
  return { screen: screen ?? 'inbox' };
}

export function toHash(route: Route): string {
  switch (route.screen) {
    case 'inbox':
      return route.requestId === undefined ? '#inbox' : `#request=${encodeURIComponent(route.requestId)}`;
    case 'session':
      return `#session=${encodeURIComponent(route.sessionId)}${route.tab === undefined ? '' : '&changes'}`;
    case 'pair':
      return '#inbox';
    case 'sessions':
    case 'new':
    case 'usage':
    case 'devices':
      return `#${route.screen}`;
  }
}

/** With `replace` the back button skips the screen that is left. */
export function navigate(route: Route, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, '', toHash(route));
    globalThis.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = toHash(route);
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  // Before the effects of children, which may navigate at once.
  useLayoutEffect(() => {
    const onChange = (): void => setRoute(readRoute(location.hash));
    globalThis.addEventListener('hashchange', onChange);
    return () => globalThis.removeEventListener('hashchange', onChange);
  }, []);
  return route;
}
