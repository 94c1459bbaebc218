import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { loopbackAddress } from '../../config/loopback-address.js';
import type { PortFacts } from '../../console/doctor/port.js';
import type { StateFolderFacts } from '../../console/doctor/state-folder.js';
import { AppError, messageOf } from '../../core/errors.js';
import * as processes from '../../platform/processes.js';
import { portUse } from '../../platform/port-use.js';
import { PageAddresses } from '../../state/page-addresses.js';
import { Servers } from '../../state/server-mark.js';
import { ServiceAddress } from '../../state/service-address.js';
import { prepareStateFolder } from '../../state/state-folder.js';
import type { Surroundings } from './surroundings.js';

/** Creates the folder, as the server does when it starts. */
export function gatherStateFolder({ stateDir: path }: Pick<Surroundings, 'stateDir'>): StateFolderFacts {
  try {
    prepareStateFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { path, problem: undefined, isNewer: false };
  } catch (error) {
    return {
      path,
      problem: messageOf(error),
      isNewer: error instanceof AppError && error.reason === 'state_newer',
    };
  }
}

/** The port of the service, and that of the page if the operator has chosen one. */
export async function gatherPorts({
  settings: { host, port, web = 'off' },
  stateDir,
}: Pick<Surroundings, 'settings' | 'stateDir'>): Promise<readonly PortFacts[]> {
  const page = loopbackAddress(web);
  const places = [
    { of: 'service' as const, host, port },
    ...(page === undefined || page.port === 0 ? [] : [{ of: 'page' as const, ...page }]),
  ];
  return Promise.all(
    places.map(async (place) => {
      const use = await portUse(place.host, place.port);
      return { ...place, use: use === 'taken' && (await ownPorts(stateDir)).has(place.port) ? 'own' : use };
    }),
  );
}

/** The ports of servers that run in this state folder. */
async function ownPorts(stateDir: string): Promise<ReadonlySet<number>> {
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  // Files that others could have written say nothing.
  const running = await new ServiceAddress(stateDir, servers).find().catch(() => undefined);
  const pages = await new PageAddresses(join(stateDir, 'page'), servers).find().catch(() => []);
  const urls = running === undefined ? [] : [running.url, running.address.url];
  return new Set([...urls, ...pages.map(({ origin }) => origin)].map((url) => Number(new URL(url).port)));
}
