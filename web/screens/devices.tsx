import { useState } from 'preact/hooks';
import type { Device, PageError } from '../../src/page/contract.js';
import { errorOf } from '../live/calls.js';
import { useDesk } from '../live/context.js';
import { forgetKey } from '../live/credentials.js';
import { useLoaded } from '../live/use-loaded.js';
import { Button } from '../parts/button.js';
import { CopyText } from '../parts/copy.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { ago, dateTime, useNow } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';

export function Devices() {
  const desk = useDesk();
  const { value, error, reload } = useLoaded(() => desk.call('devices', {}), '');
  const [failure, setFailure] = useState<PageError>();
  const [leaving, setLeaving] = useState<Device>();

  const remove = (device: Device): void => {
    setFailure(undefined);
    const done = device.isThis
      ? desk.call('signOut', {}).then(() => {
          forgetKey();
          desk.disconnect();
        })
      : desk.call('revoke', { deviceId: device.deviceId }).then(reload);
    void done.catch((thrown: unknown) => setFailure(errorOf(thrown)));
  };
  return (
    <div class="page">
      <h1>Devices</h1>
      <p class="muted">
        These browsers can see your sessions and answer requests for you. The audit log names the device of
        each answer.
      </p>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {failure !== undefined && <Failed error={failure} />}
      <ul class="panel devices">
        {value?.devices.map((device) => (
          <DeviceRow key={device.deviceId} device={device} onRemove={() => setLeaving(device)} />
        ))}
      </ul>
      <section class="panel">
        <h2>Add a device</h2>
        <p>Run this command on the computer where the server runs, and open the link on the other device:</p>
        <CopyText text="claude-code-mcp open --print" label="Copy the command" />
        <p class="muted">
          A link works once, within two minutes. The device must be able to reach the address of this page.
        </p>
      </section>
      {leaving !== undefined && (
        <Confirm
          title={leaving.isThis ? 'Sign out?' : `Remove “${leaving.name}”?`}
          action={leaving.isThis ? 'Sign out' : 'Remove the device'}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          {leaving.isThis
            ? 'To sign in again, this browser needs a new link or the password.'
            : 'It is signed out at once. To sign in again, it needs a new link or the password.'}
        </Confirm>
      )}
    </div>
  );
}

function DeviceRow({ device, onRemove }: { readonly device: Device; readonly onRemove: () => void }) {
  const now = useNow(30_000);
  return (
    <li>
      <Icon name="device" size={20} />
      <div>
        <strong>
          <VisibleText text={device.name} />
        </strong>{' '}
        {device.isThis && <span class="tag new">this device</span>}
        <p class="muted">
          Used {ago(device.lastUsedAt, now)}, added {dateTime(device.createdAt)}
        </p>
      </div>
      <Button small onPress={onRemove} label={device.isThis ? 'Sign out' : `Remove ${device.name}`}>
        {device.isThis ? 'Sign out' : 'Remove'}
      </Button>
    </li>
  );
}
