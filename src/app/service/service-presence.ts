import { restrictionsOf } from '../../config/restrictions.js';
import { stateDirOf } from '../../config/settings.js';
import { systemClock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import { IdleWatch } from '../../http/idle-watch.js';
import type { Routes } from '../../http/routes.js';
import * as processes from '../../platform/processes.js';
import { Servers } from '../../state/server-mark.js';
import { ServiceAddress, type PrivateAddress, type RunningService } from '../../state/service-address.js';
import type { AppConfig } from '../app.js';
import { boundLog } from './bounded-log.js';

/** The service of this state folder, if it runs. */
export async function runningService({
  settings,
  environment,
  home,
}: Pick<AppConfig, 'settings' | 'environment' | 'home'>): Promise<RunningService | undefined> {
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  return new ServiceAddress(stateDirOf(settings, environment, home), servers).find();
}

/** How `connect` finds the service, and how the service notices that it is not used any longer. */
export interface Presence {
  /** Never resolves, unless the service exits when it is idle. */
  readonly idle: Promise<void>;
  watch(routes: Routes): Routes;
  announce(publicUrl: string, address: PrivateAddress): Promise<void>;
  end(): Promise<void>;
}

export function servicePresence(
  { settings, environment, home, logger }: AppConfig,
  { idleMs, isBusy }: { readonly idleMs: number | undefined; readonly isBusy: () => boolean },
): Presence {
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  const stateDir = stateDirOf(settings, environment, home);
  const address = new ServiceAddress(stateDir, servers);
  let onIdle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => (onIdle = resolve));
  const watcher =
    idleMs === undefined ? undefined : new IdleWatch({ clock: systemClock, idleMs, isBusy, onIdle });
  const stopBounding = boundLog({ stateDir, clock: systemClock });
  return {
    idle,
    watch: (routes) => watcher?.watch(routes) ?? routes,
    announce: (publicUrl, found) =>
      address
        .announce(publicUrl, found, restrictionsOf(settings))
        .then((isSaved) => {
          if (!isSaved)
            logger.log('warn', 'connect uses another service, which runs in the same state folder');
        })
        .catch((error: unknown) =>
          logger.log('warn', 'connect cannot find this service, because its address could not be saved', {
            reason: messageOf(error),
          }),
        ),
    async end() {
      watcher?.close();
      stopBounding();
      await address.withdraw().catch(() => undefined);
    },
  };
}
