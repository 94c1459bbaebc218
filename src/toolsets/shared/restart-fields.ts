import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';

/** What the caller must know about the end of an earlier server, another server, or the disk. */
export interface RestartFields {
  readonly runsIn?: string;
  readonly keptPrompts?: readonly string[];
  readonly voidRequests?: readonly string[];
  readonly notSaved?: string;
}

/** Each prompt has its share of `room`. */
export function restartFields(
  { kept, voided, elsewhere, notSaved }: Pick<SessionView, 'kept' | 'voided' | 'elsewhere' | 'notSaved'>,
  room: number,
): RestartFields {
  const share = shareOf(kept, room);
  return {
    ...runsIn({ elsewhere }),
    ...(kept.length === 0 ? {} : { keptPrompts: kept.map((prompt) => cutMiddle(prompt, share)) }),
    ...(voided.length === 0 ? {} : { voidRequests: voided }),
    ...notSavedField({ notSaved }),
  };
}

/** Why the session is not on disk as it is, or what Claude Code could not write. */
export function notSavedField({ notSaved }: Pick<SessionView, 'notSaved'>): Pick<RestartFields, 'notSaved'> {
  return notSaved === undefined ? {} : { notSaved: cutMiddle(notSaved, 200) };
}

/** Whether one of the prompts is truncated. */
export function areKeptCut({ kept }: Pick<SessionView, 'kept'>, room: number): boolean {
  return kept.some((prompt) => prompt.length > shareOf(kept, room));
}

function shareOf(kept: readonly string[], room: number): number {
  return Math.max(20, Math.floor(room / Math.max(1, kept.length)));
}

/** Names the server that runs the session, if it is not this one. */
export function runsIn({ elsewhere }: Pick<SessionView, 'elsewhere'>): Pick<RestartFields, 'runsIn'> {
  return elsewhere === undefined ? {} : { runsIn: `another server, process ${elsewhere}` };
}
