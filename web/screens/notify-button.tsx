import { useState } from 'preact/hooks';
import { askForNotifications, notificationPermission } from '../live/notify.js';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';

/** Asks the browser for notifications, only when pressed. Disappears once the person has decided. */
export function NotifyButton() {
  const [permission, setPermission] = useState(notificationPermission);
  if (permission !== 'default') return null;
  return (
    <Button look="quiet" small onPress={() => void askForNotifications().then(setPermission)}>
      <Icon name="bell" size={16} /> Notify me
    </Button>
  );
}
