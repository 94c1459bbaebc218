import type { ComponentChildren } from 'preact';
import { useDeskState } from '../live/context.js';
import type { Route } from '../live/routes.js';
import { openCount } from '../live/state.js';
import { Icon, type IconName } from '../parts/icons.js';
import { timeOfDay } from '../texts/time.js';
import { Shortcuts } from './shortcuts.js';

interface ShellProps {
  readonly route: Route;
  readonly children: ComponentChildren;
}

interface Place {
  readonly screen: Route['screen'];
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
}

const places: readonly Place[] = [
  { screen: 'inbox', href: '#inbox', name: 'Inbox', icon: 'inbox' },
  { screen: 'sessions', href: '#sessions', name: 'Sessions', icon: 'sessions' },
  { screen: 'new', href: '#new', name: 'New', icon: 'plus' },
  { screen: 'usage', href: '#usage', name: 'Usage', icon: 'chart' },
  { screen: 'devices', href: '#devices', name: 'Devices', icon: 'device' },
];

/** The frame around each screen: navigation beside it or below it, and the state of the connection. */
export function Shell({ route, children }: ShellProps) {
  const isDetail = route.screen === 'session' || (route.screen === 'inbox' && route.requestId !== undefined);
  return (
    <div class={`shell${isDetail ? ' on-detail' : ''}`}>
      <Navigation screen={route.screen === 'session' ? 'sessions' : route.screen} />
      <div class="stage">
        <StaleBanner />
        <main id="main">{children}</main>
      </div>
      <Shortcuts />
    </div>
  );
}

function Navigation({ screen }: { readonly screen: Route['screen'] }) {
  const open = useDeskState(openCount);
  return (
    <nav class="nav" aria-label="Screens">
      <p class="brand">
        <Mark />
        <span>Claude Code sessions</span>
      </p>
      <ul>
        {places.map((place) => (
          <li key={place.screen}>
            <a href={place.href} aria-current={place.screen === screen ? 'page' : undefined}>
              <Icon name={place.icon} size={20} />
              <span class="name">{place.name}</span>
              {place.screen === 'inbox' && open > 0 && (
                <span class="badge">
                  {open}
                  <span class="sr-only"> open {open === 1 ? 'request' : 'requests'}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <LinkState />
    </nav>
  );
}

export function Mark() {
  return (
    <svg class="mark" width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 16.5l5 5 9-11" />
    </svg>
  );
}

function LinkState() {
  const link = useDeskState((state) => (state.isStale ? 'lost' : state.link));
  const words = { live: 'Live', connecting: 'Connecting…', lost: 'Not connected', signed_out: 'Signed out' };
  return (
    <p class={`link-state ${link}`}>
      <span class="dot" aria-hidden="true" />
      {words[link]} <kbd aria-hidden="true">?</kbd>
      <span class="sr-only">Press question mark for shortcuts.</span>
    </p>
  );
}

function StaleBanner() {
  const isStale = useDeskState((state) => state.isStale);
  const since = useDeskState((state) => state.staleSince);
  return (
    <div role="status">
      {isStale && (
        <p class="banner">
          <Icon name="warning" size={18} />
          <span>
            <strong>Not connected.</strong> You see the state at {timeOfDay(since)}. Reconnecting…
          </span>
        </p>
      )}
    </div>
  );
}
