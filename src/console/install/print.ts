import { entryName, type Launch } from '../clients/client.js';
import { withEntry } from '../clients/edit.js';
import { installLinks } from '../clients/links.js';
import { clients, type ClientId } from '../clients/table.js';

export interface Printed {
  readonly id: ClientId;
  readonly file: string;
}

/** What a person adds by hand. Without a client, the form that most clients understand. */
export function printText(launch: Launch, targets: readonly Printed[]): string {
  if (targets.length === 0)
    return `Add this to the configuration of your client:\n\n${withEntry(clients.cursor, '', launch)}\nName of the server: ${entryName}\nCommand: ${[launch.command, ...launch.args].join(' ')}\n`;
  return targets.map((target) => printed(launch, target)).join('\n');
}

function printed(launch: Launch, { id, file }: Printed): string {
  const { title } = clients[id];
  const link = id === 'cursor' || id === 'vscode' ? installLinks[id](launch) : undefined;
  const links = link === undefined ? '' : `\nOr open this link:\n${link.web}\n`;
  return `Add this to ${file} for ${title}:\n\n${withEntry(clients[id], '', launch)}${links}`;
}
