import { useState } from 'preact/hooks';
import { navigate, type Route } from '../live/routes.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { useKeys } from '../parts/use-keys.js';

const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['j', '↓'], 'Next request'],
  [['k', '↑'], 'Previous request'],
  [['a', 'Enter'], 'Allow once, approve, or send answers'],
  [['s', 'Enter'], 'Allow for this session'],
  [['d'], 'Deny with a message'],
  [['e'], 'Edit the input or plan'],
  [['Ctrl', 'Enter'], 'Send a message or prompt'],
  [['g', 'i'], 'Inbox'],
  [['g', 's'], 'Sessions'],
  [['g', 'n'], 'New session'],
  [['g', 'u'], 'Usage'],
  [['g', 'd'], 'Devices'],
  [['?'], 'This help'],
];

const go = (route: Route) => () => navigate(route);

/** Shortcuts that work on every screen. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useKeys(true, {
    '?': () => setOpen(true),
    gi: go({ screen: 'inbox' }),
    gs: go({ screen: 'sessions' }),
    gn: go({ screen: 'new' }),
    gu: go({ screen: 'usage' }),
    gd: go({ screen: 'devices' }),
  });
  if (!isOpen) return null;
  return (
    <Dialog title="Shortcuts" onClose={() => setOpen(false)}>
      <dl class="shortcuts">
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Button onPress={() => setOpen(false)}>Close</Button>
    </Dialog>
  );
}
