import { AppError } from '../core/errors.js';
import type { OptionName } from '../core/options/index.js';
import type { SessionView } from '../session/session-view.js';
import type { Session, WhenBusy } from '../session/session.js';
import type { TurnChanges } from '../session/turn/turn.js';
import type { OptionChanges } from './options/option-resolver.js';

/** How a caller takes part in the start of a session. */
export interface StartWishes {
  /** Receives the session before anything happens, so that it can listen from the first message on. */
  readonly prepare?: ((session: Session) => void) | undefined;
  /** Resolves when the caller waits no longer for the start. */
  readonly enough?: Promise<unknown> | undefined;
}

/** Options for the process that a reply starts; they override those of the session. */
export type ResumeConfig = OptionChanges & { readonly resumeSessionAt?: string | undefined };

export interface ReplyOptions
  extends Pick<TurnChanges, 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs'>, Pick<StartWishes, 'enough'> {
  /** Runs the turn again that ended with its server, instead of a new prompt. */
  readonly resumeInterrupted?: boolean | undefined;
  readonly forkSession: boolean;
  readonly whenBusy: WhenBusy;
  readonly resumeToken?: string | undefined;
  readonly diskResumeConfig?: ResumeConfig | undefined;
}

/** What a reply changes, and which recorded options it could not keep. */
export interface ResolvedReply extends Pick<StartWishes, 'enough'> {
  readonly changes: TurnChanges;
  readonly narrowed: readonly OptionName[];
}

/** What a reply says: its own prompt, or that of the turn that ended with its server. */
export function promptOf(
  { id, cutTurn }: Pick<SessionView, 'id' | 'cutTurn'>,
  prompt: string | undefined,
  { resumeInterrupted = false }: Pick<ReplyOptions, 'resumeInterrupted'>,
): string {
  if (!resumeInterrupted) {
    if (prompt === undefined) throw new AppError('prompt_missing');
    return prompt;
  }
  if (prompt !== undefined) throw new AppError('resume_with_prompt');
  if (cutTurn === undefined) throw new AppError('nothing_to_resume', { sessionId: id });
  if (cutTurn.isRedacted === true) throw new AppError('cut_prompt_masked');
  return cutTurn.prompts.join('\n\n');
}
