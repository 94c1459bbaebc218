import { useEffect, useState } from 'preact/hooks';
import { errorOf } from '../live/calls.js';
import { DeskProvider, useDesk, useDeskState } from '../live/context.js';
import type { Desk } from '../live/desk.js';
import { useRoute, type Route } from '../live/routes.js';
import { Devices } from '../screens/devices.js';
import { Inbox } from '../screens/inbox.js';
import { NewSessionForm } from '../screens/new-session.js';
import { Sessions } from '../screens/sessions.js';
import { UsageScreen } from '../usage/usage-screen.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { Unreachable } from './unreachable.js';

export function App({ desk }: { readonly desk: Desk }) {
  return (
    <DeskProvider value={desk}>
      <Gate />
    </DeskProvider>
  );
}

type Entry = 'asking' | 'in' | 'out' | 'unreachable';

/** Finds out whether this device is signed in before anything else is shown. */
function Gate() {
  const desk = useDesk();
  const route = useRoute();
  const link = useDeskState((state) => state.link);
  const [entry, setEntry] = useState<Entry>(route.screen === 'pair' ? 'out' : 'asking');
  const [hasPassword, setHasPassword] = useState(false);

  useEffect(() => {
    if (entry !== 'asking') return undefined;
    let isCurrent = true;
    void desk.call('me', {}).then(
      (me) => {
        if (!isCurrent) return;
        desk.store.dispatch({ type: 'me', me });
        desk.connect();
        setEntry('in');
      },
      (thrown: unknown) => {
        if (!isCurrent) return;
        const error = errorOf(thrown);
        setHasPassword(error.hasPassword === true);
        setEntry(error.reason === 'signed_out' ? 'out' : 'unreachable');
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [entry, desk]);
  useEffect(() => {
    // Asks again, because the answer says whether there is a password.
    if (link === 'signed_out' && entry === 'in') setEntry('asking');
    if (route.screen === 'pair' && entry === 'in') setEntry('out');
  }, [link, entry, route.screen]);

  switch (entry) {
    case 'asking':
      return <p class="sr-only">Loading…</p>;
    case 'unreachable':
      return <Unreachable onRetry={() => setEntry('asking')} />;
    case 'out':
      return (
        <SignIn
          code={route.screen === 'pair' ? route.code : undefined}
          hasPassword={hasPassword}
          onSignedIn={() => setEntry('asking')}
        />
      );
    case 'in':
      return (
        <Shell route={route}>
          <Screen route={route} />
        </Shell>
      );
  }
}

function Screen({ route }: { readonly route: Route }) {
  switch (route.screen) {
    case 'inbox':
      return <Inbox requestId={route.requestId} />;
    case 'sessions':
    case 'session':
      return <Sessions {...(route.screen === 'session' && route)} />;
    case 'new':
      return <NewSessionForm />;
    case 'usage':
      return <UsageScreen />;
    case 'devices':
      return <Devices />;
    case 'pair':
      return null;
  }
}
