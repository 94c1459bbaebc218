import { withEntry } from '../../src/console/clients/edit.js';
import { packageLaunch } from '../../src/console/clients/launch.js';
import { clientIds, clients, type ClientId } from '../../src/console/clients/table.js';

/** examples/clients: a configuration file for each client, as `install` writes it into an empty file. */
export const clientExamples: Readonly<Record<string, () => string>> = Object.fromEntries(
  clientIds.map((id) => [pathFor(id), () => withEntry(clients[id], '', packageLaunch('linux'))]),
);

function pathFor(id: ClientId): string {
  return `examples/clients/${id}.${clients[id].format === 'toml' ? 'toml' : 'json'}`;
}
