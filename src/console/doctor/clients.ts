import { sentence } from '../../core/errors.js';
import { offSwitchOf, type ClientState } from '../clients/state.js';
import type { Finding } from './check.js';

/** A client that is installed on this machine, or whose file has an entry for this server. */
export interface ClientFacts {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly state: ClientState;
  /** A path in the command of our entry that does not exist. */
  readonly missing?: string | undefined;
  /** Why the server would not start with the settings of our entry. */
  readonly refusal?: string | undefined;
}

export function checkClients(clients: readonly ClientFacts[]): readonly Finding[] {
  const isConfiguredElsewhere = clients.some(
    ({ state }) => state.kind === 'configured' && offSwitchOf(state.entry) === undefined,
  );
  if (clients.length > 0) return clients.map((client) => checkClient(client, isConfiguredElsewhere));
  return [
    {
      id: 'clients',
      status: 'warn',
      message: 'No client that this server knows was found.',
      fix: 'Run claude-code-mcp install --print, and add the text to the configuration of your client.',
    },
  ];
}

function checkClient(
  { id: name, title, file, state, missing, refusal }: ClientFacts,
  isConfiguredElsewhere: boolean,
): Finding {
  const id = `client-${name}`;
  const install = `claude-code-mcp install ${name}`;
  if (state.kind === 'broken')
    return {
      id,
      status: 'fail',
      message: `${title} cannot read ${file}: ${state.why}`,
      fix: `Correct the file, then run ${install}.`,
    };
  // People rarely want it in every client.
  if (state.kind === 'absent' && isConfiguredElsewhere)
    return { id, status: 'ok', message: `${title} does not use this server, but another client does.` };
  if (state.kind === 'absent')
    return {
      id,
      status: 'warn',
      message: `${title} does not use this server yet.`,
      fix: `Run ${install}.`,
    };
  if (missing !== undefined)
    return {
      id,
      status: 'fail',
      message: `${title} would start ${missing}, which does not exist (${file}).`,
      fix: `Run ${install} to replace the entry.`,
    };
  if (refusal !== undefined)
    return {
      id,
      status: 'fail',
      message: `${title} cannot start this server: ${sentence(refusal)}`,
      fix: `Correct the entry "${state.name}" in ${file}, then restart ${title}.`,
    };
  const off = offSwitchOf(state.entry);
  if (off !== undefined)
    return {
      id,
      status: 'warn',
      message: `${title} does not start this server: ${off} in its entry "${state.name}" (${file}).`,
      fix: `Turn the server on in ${title}, or change that value.`,
    };
  return { id, status: 'ok', message: `${title} starts this server as "${state.name}" (${file}).` };
}
