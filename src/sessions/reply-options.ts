import type { WhenBusy } from '../session/session.js';
import type { TurnChanges } from '../session/turn/turn.js';
import type { OptionChanges } from './options/option-resolver.js';

/** Options for the process that a reply starts; they override those of the session. */
export type ResumeConfig = OptionChanges & { readonly resumeSessionAt?: string | undefined };

export interface ReplyOptions extends Pick<TurnChanges, 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs'> {
  readonly forkSession: boolean;
  readonly whenBusy: WhenBusy;
  readonly resumeToken?: string | undefined;
  readonly diskResumeConfig?: ResumeConfig | undefined;
}
