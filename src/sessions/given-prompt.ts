import type { Caller } from '../core/caller.js';
import { AppError } from '../core/errors.js';
import type { IdSource, SessionId } from '../core/ids.js';
import type { EffectiveOptions, OptionName } from '../core/options/index.js';
import type { Turns } from '../files/turns.js';
import type { PolicySettings } from '../policy/settings.js';
import type { SessionView } from '../session/session-view.js';
import type { Session, WhenBusy, Words } from '../session/session.js';
import type { TurnChanges } from '../session/turn/turn-changes.js';
import type { Approvals } from './approvals.js';
import type { FolderSettings } from './options/folder-facts.js';
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
  /** Paths of files that go with the prompt. */
  readonly attachments?: readonly string[] | undefined;
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

/** A prompt as a caller gives it. */
export interface GivenPrompt {
  readonly text: string;
  /** Paths of files that go with it. */
  readonly attachments?: readonly string[] | undefined;
}

/** What a reply says: its own prompt, or that of the turn that ended with its server. */
export function promptOf(
  { id, cutTurn }: Pick<SessionView, 'id' | 'cutTurn'>,
  prompt: string | undefined,
  { resumeInterrupted = false, attachments }: Pick<ReplyOptions, 'resumeInterrupted' | 'attachments'>,
): GivenPrompt {
  if (!resumeInterrupted) {
    if (prompt === undefined) throw new AppError('prompt_missing');
    return { text: prompt, attachments };
  }
  if (prompt !== undefined || attachments !== undefined) throw new AppError('resume_with_prompt');
  if (cutTurn === undefined) throw new AppError('nothing_to_resume', { sessionId: id });
  if (cutTurn.isRedacted === true) throw new AppError('cut_prompt_masked');
  return { text: cutTurn.prompts.join('\n\n'), attachments: cutTurn.attachments };
}

/** The message from which a reply continues; undefined means the last one. */
export function resumeAtOf(
  { cutTurn }: Pick<SessionView, 'cutTurn'>,
  {
    resumeInterrupted = false,
    diskResumeConfig,
  }: Pick<ReplyOptions, 'resumeInterrupted' | 'diskResumeConfig'>,
): string | undefined {
  return diskResumeConfig?.resumeSessionAt ?? (resumeInterrupted ? cutTurn?.resumeAt : undefined);
}

/** Refuses changes by a prompt that joins a running turn, which has its own options. */
export function refuseSteeringChanges({ whenBusy, diskResumeConfig, ...limits }: ReplyOptions): void {
  const { maxTurns, maxBudgetUsd, timeoutMs } = limits;
  const isChanged = [maxTurns, maxBudgetUsd, timeoutMs, diskResumeConfig].some(
    (value) => value !== undefined,
  );
  if (whenBusy === 'steer' && isChanged) throw new AppError('steer_with_options');
}

/** The session that gets a prompt, as it will be during the turn. */
export interface Addressee {
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly caller: Caller;
  /** The session that it branches off. */
  readonly of?: SessionId;
}

interface WordsSettings {
  readonly approvals: Pick<Approvals, 'standingOn'>;
  /** The files of a prompt can take 40 MB until it is accepted or refused, and hundreds of calls can arrive at once. */
  readonly attaching: Pick<Turns, 'run'>;
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly ids: IdSource;
}

/** A prompt with its files, which are read now. Throws before anything has changed if one must not be read. */
export async function wordsOf(
  { text, attachments = [] }: GivenPrompt,
  { session, options, caller, of = session.id }: Addressee,
  { approvals, attaching, ...settings }: WordsSettings,
): Promise<Words> {
  const words: Words = { text, trace: caller.trace };
  if (attachments.length === 0) return words;
  // Loaded by the first prompt with files.
  const { readAttachments } = await import('./attachments/read-attachments.js');
  const standing = approvals.standingOn(of, caller);
  const reading = { ...settings, standing, options, view: session.view };
  return { ...words, attachments: await attaching.run(() => readAttachments(attachments, reading)) };
}
