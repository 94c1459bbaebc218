import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parseArguments } from '../../config/arguments.js';
import { ConfigError } from '../../config/config-error.js';
import { readConfigFile } from '../../config/config-file.js';
import { loadSettings } from '../../config/load.js';
import type { Client, Machine, System } from '../../console/clients/client.js';
import { fileOf, isInstalled } from '../../console/clients/found.js';
import { ownArguments, programWords, stateOf, type ClientState } from '../../console/clients/state.js';
import { clientIds, clients } from '../../console/clients/table.js';
import type { ClientFacts } from '../../console/doctor/clients.js';
import { messageOf } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
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
      return { id, title: client.title, file, state, missing: missingIn(state), refusal: refusalOf(state) };
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

/** Why the server would end at once with the arguments and variables of our entry. */
function refusalOf(state: ClientState): string | undefined {
  if (state.kind !== 'configured') return undefined;
  const args = ownArguments(state.command);
  if (args.some(isFilledIn)) return undefined;
  try {
    const { flags, configFile } = parseArguments(args);
    loadSettings(
      flags,
      variablesOf(state.entry),
      configFile === undefined ? undefined : readConfigFile(configFile),
    );
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** The client replaces a part of it, such as `${workspaceFolder}`. */
function isFilledIn(text: string): boolean {
  return text.includes('${') || text.includes('{env:');
}

/** OpenCode has another name for them. */
function variablesOf({ env, environment = env }: JsonObject): Readonly<Record<string, string>> {
  const all = isObject(environment) ? Object.entries(environment) : [];
  return Object.fromEntries(
    all.flatMap(([name, text]) => (typeof text === 'string' && !isFilledIn(text) ? [[name, text]] : [])),
  );
}
