import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Client, Machine, System } from '../../console/clients/client.js';
import { fileOf, isInstalled } from '../../console/clients/found.js';
import { programWords, stateOf, type ClientState } from '../../console/clients/state.js';
import { clientIds, clients } from '../../console/clients/table.js';
import type { ClientFacts } from '../../console/doctor/clients.js';
import { messageOf } from '../../core/errors.js';
import { isMissing, openRegularFile, readRegularFile } from '../../files/regular-file.js';
import type { Surroundings } from './surroundings.js';

const systems: Partial<Record<NodeJS.Platform, System>> = { darwin: 'darwin', win32: 'win32' };

const maxBytes = 64 * 1024 * 1024;

/** The clients of this machine, and whether they start this server. */
export async function gatherClients({
  home,
  environment,
}: Pick<Surroundings, 'home' | 'environment'>): Promise<readonly ClientFacts[]> {
  const machine: Machine = { system: systems[process.platform] ?? 'linux', home, environment };
  const known = await Promise.all(
    clientIds.map(async (id) => {
      const client: Client = clients[id];
      const file = fileOf(client, machine, existsSync);
      const state = await readState(client, file);
      return { id, title: client.title, file, state, missing: missingIn(state) };
    }),
  );
  return known.filter(
    ({ id, state }) => state.kind === 'configured' || isInstalled(clients[id], machine, existsSync),
  );
}

async function readState(client: Client, file: string): Promise<ClientState> {
  try {
    return stateOf(client, await readRegularFile(openRegularFile(file), maxBytes));
  } catch (error) {
    return isMissing(error) ? { kind: 'absent' } : { kind: 'broken', why: messageOf(error) };
  }
}

function missingIn(state: ClientState): string | undefined {
  if (state.kind !== 'configured') return undefined;
  return programWords(state.command).find((word) => isAbsolute(word) && !existsSync(word));
}
