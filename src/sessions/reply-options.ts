import type { RequestedOptions } from '../core/options/index.js';
import type { WhenBusy } from '../session/session.js';
import type { TurnChanges } from '../session/turn/turn.js';

/** Options for the process that a reply starts; they override those of the session. */
export type ResumeConfig = RequestedOptions & { readonly resumeSessionAt?: string | undefined };

export interface ReplyOptions extends Pick<TurnChanges, 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs'> {
  readonly forkSession: boolean;
  readonly whenBusy: WhenBusy;
  readonly resumeToken?: string | undefined;
  readonly diskResumeConfig?: ResumeConfig | undefined;
}
