import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import { makeFolder, ownershipProblem } from '../../files/own-file.js';
import { CredentialFileError } from '../../http/auth/credential-file.js';
import { LastUses } from '../../http/auth/last-uses.js';
import { DeviceFile } from '../../http/devices/device-file.js';
import { PairingCodes } from '../../http/devices/pairing-codes.js';
import { PasswordFile } from '../../http/devices/password-file.js';
import * as processes from '../../platform/processes.js';
import { PageAddresses } from '../../state/page-addresses.js';
import { Servers } from '../../state/server-mark.js';
import { exclusivelyIn } from '../state/exclusively.js';

export interface Devices {
  readonly folder: string;
  readonly servers: Servers;
  readonly addresses: PageAddresses;
  readonly devices: DeviceFile;
  readonly codes: PairingCodes;
  readonly password: PasswordFile;
  readonly uses: LastUses;
}

/** Everything about the page in the state folder. Servers and commands share it. */
export function composeDevices(stateDir: string, clock: Clock): Devices {
  const folder = join(stateDir, 'page');
  makeFolder(folder);
  const problem = ownershipProblem(lstatSync(folder), 'folder');
  if (problem !== undefined)
    throw new CredentialFileError(
      `${folder}: must be a folder that belongs to you and that others cannot change (${problem}).`,
    );
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  const exclusively = exclusivelyIn(stateDir, 'page');
  return {
    folder,
    servers,
    addresses: new PageAddresses(folder, servers),
    devices: new DeviceFile({ folder, exclusively, isRunning: (server) => servers.isAlive(server) }),
    codes: new PairingCodes({ folder, exclusively }),
    password: new PasswordFile({ folder, exclusively }),
    uses: new LastUses(join(folder, 'devices-used.json'), clock),
  };
}
