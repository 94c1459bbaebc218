import { useEffect, useState } from 'preact/hooks';
import type { PageError, Paired } from '../../src/page/contract.js';
import { errorOf } from '../live/calls.js';
import { useDesk } from '../live/context.js';
import { deviceName, keepKey, readKey } from '../live/credentials.js';
import type { Desk } from '../live/desk.js';
import { navigate } from '../live/routes.js';
import { Mark } from './shell.js';

interface SignInProps {
  /** The pairing code in the address. */
  readonly code: string | undefined;
  readonly hasPassword: boolean;
  readonly onSignedIn: () => void;
}

export function SignIn({ code, hasPassword, onSignedIn }: SignInProps) {
  const desk = useDesk();
  const [isBusy, setBusy] = useState(code !== undefined);
  const [error, setError] = useState<PageError>();
  const [password, setPassword] = useState('');

  const enter = (paired: Promise<Paired>): void => {
    setBusy(true);
    setError(undefined);
    void paired
      .then(({ key }) => {
        keepKey(key);
        onSignedIn();
      })
      .catch(async (thrown: unknown) => {
        const refused = errorOf(thrown);
        // A browser that is signed in does not need the link.
        if (refused.reason === 'wrong_code' && (await isSignedIn(desk))) return onSignedIn();
        setBusy(false);
        setError(refused);
      });
  };
  useEffect(() => {
    if (code === undefined) return;
    // Removes the code from the address first, so that no history contains it.
    navigate({ screen: 'inbox' }, { replace: true });
    enter(desk.call('pair', { code, name: deviceName() }));
  }, [code]);

  if (isBusy) {
    return (
      <main class="door">
        <p role="status">Signing in…</p>
      </main>
    );
  }
  return (
    <main class="door">
      <div class="door-card">
        <Mark />
        <h1>{error === undefined ? 'Sign in to watch your sessions' : 'Sign-in failed'}</h1>
        {error !== undefined && (
          <p class="note bad" role="alert">
            {error.message}
          </p>
        )}
        <p>
          Run this command on the computer where the server runs. It opens the page and signs your browser in:
        </p>
        <pre class="mono command">claude-code-mcp open</pre>
        <p class="muted">
          If the command is not found, use <code>npx -y mcp-server-claude-code open</code>, or{' '}
          <code>node dist/claude-code-mcp.js open</code> in a clone.
        </p>
        <p class="muted">
          To sign in on another device that can reach this address, add <code>--print</code> and open the link
          there. A link works once, within two minutes.
        </p>
        {(hasPassword || error?.hasPassword === true) && (
          <form
            class="password"
            onSubmit={(event) => {
              event.preventDefault();
              enter(desk.call('signIn', { password, name: deviceName() }));
            }}
          >
            <label>
              <span class="label">Or use the password</span>
              <input
                type="password"
                autocomplete="current-password"
                value={password}
                onInput={(event) => setPassword(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button primary" disabled={password === ''}>
              Sign in
            </button>
          </form>
        )}
      </div>
    </main>
  );
}

function isSignedIn(desk: Desk): Promise<boolean> {
  if (readKey() === undefined) return Promise.resolve(false);
  return desk.call('me', {}).then(
    () => true,
    () => false,
  );
}
