import { accessSync, constants } from 'node:fs';
import type { PortFacts } from '../../console/doctor/port.js';
import type { StateFolderFacts } from '../../console/doctor/state-folder.js';
import { messageOf } from '../../core/errors.js';
import * as processes from '../../platform/processes.js';
import { portUse } from '../../platform/port-use.js';
import { Servers } from '../../state/server-mark.js';
import { ServiceAddress } from '../../state/service-address.js';
import { prepareStateFolder } from '../../state/state-folder.js';
import type { Surroundings } from './surroundings.js';

/** Creates the folder, as the server does when it starts. */
export function gatherStateFolder({ stateDir: path }: Pick<Surroundings, 'stateDir'>): StateFolderFacts {
  try {
    prepareStateFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { path, problem: undefined };
  } catch (error) {
    return { path, problem: messageOf(error) };
  }
}

export async function gatherPort({
  settings: { host, port },
  stateDir,
}: Pick<Surroundings, 'settings' | 'stateDir'>): Promise<PortFacts> {
  const use = await portUse(host, port);
  return { host, port, use: use === 'taken' && (await isOwn(port, stateDir)) ? 'own' : use };
}

async function isOwn(port: number, stateDir: string): Promise<boolean> {
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  // A file that others could have written says nothing.
  const running = await new ServiceAddress(stateDir, servers).find().catch(() => undefined);
  if (running === undefined) return false;
  return [running.url, running.address.url].some((url) => Number(new URL(url).port) === port);
}
