import { CannotEditError } from '../clients/cannot-edit.js';
import type { Client, Launch } from '../clients/client.js';
import { withEntry, withoutEntry } from '../clients/edit.js';
import { BrokenFileError } from '../clients/parse.js';
import { stateOf } from '../clients/state.js';

export type Action = 'install' | 'uninstall';

export interface Situation {
  readonly action: Action;
  readonly client: Client;
  readonly launch: Launch;
  /** Undefined if there is no file. */
  readonly text: string | undefined;
  /** The file as it was before this server last changed it. */
  readonly backup: string | undefined;
}

/** What is to be done with the file of a client. */
export type Plan =
  | { readonly kind: 'change'; readonly text: string }
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

export function planOf({ action, client, launch, text, backup }: Situation): Plan {
  const state = stateOf(client, text);
  if (state.kind === 'broken')
    return { kind: 'refused', why: `${client.title} cannot read this file: ${state.why} Correct it first.` };
  if (action === 'uninstall' && state.kind === 'absent')
    return { kind: 'nothing', why: `${client.title} has no entry for this server.` };
  try {
    const before = text ?? '';
    const after =
      action === 'install' ? withEntry(client, before, launch) : withoutEntry(client, before, backup);
    return after === text
      ? { kind: 'nothing', why: `${client.title} already starts this server.` }
      : { kind: 'change', text: after };
  } catch (error) {
    if (!(error instanceof CannotEditError || error instanceof BrokenFileError)) throw error;
    return { kind: 'refused', why: error.message };
  }
}
