import { sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';
import { keptPromptsId, seenChars } from '../shared/text-page.js';
import { areKeptCut, restartFields, type RestartFields } from '../shared/restart-fields.js';
import { turnStep } from '../shared/wording/turn-steps.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';
import { statusOf, type Status } from './status.js';

export interface Brief extends RestartFields {
  readonly sessionId: string;
  readonly status: Status;
  /** Why the last turn failed, and the next step. Only with status `error`. */
  readonly error?: string;
  /** The call that reads the rest of a truncated error. */
  readonly readMore?: string | undefined;
  /** The call that reads `keptPrompts` to the end, if one is truncated. */
  readonly readMoreKeptPrompts?: string | undefined;
  /** Options from before a restart that are no longer in force. */
  readonly notRestored?: readonly string[];
}

/** The fields that every tool of this toolset returns. */
export function briefOf(session: SessionView, words: Vocabulary, room: number): Brief {
  const status = statusOf(session.state);
  return {
    sessionId: session.id,
    status,
    ...(status === 'error' ? errorOf(session, words, room) : {}),
    ...restartFields(session, room),
    readMoreKeptPrompts: areKeptCut(session, room)
      ? words.read.input?.(session.id, keptPromptsId)
      : undefined,
    ...(session.notRestored.length === 0 ? {} : { notRestored: session.notRestored }),
  };
}

function errorOf(
  { id, lastResult }: SessionView,
  words: Vocabulary,
  room: number,
): Pick<Brief, 'error' | 'readMore'> {
  // The error of an earlier server process is not stored on disk.
  if (lastResult === undefined) return { error: 'The last turn failed before this server was started.' };
  const { result } = lastResult;
  const shown = cutMiddle(result, room);
  const nextStep = turnStep(lastResult, words);
  return {
    error: nextStep === undefined ? sentence(shown) : `${sentence(shown)} ${nextStep}`,
    readMore: shown === result ? undefined : words.read.result?.(id, seenChars(result, shown)),
  };
}
