import { sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { SessionView } from '../../session/session-view.js';
import { restartFields, type RestartFields } from '../shared/restart-fields.js';
import { turnStep } from '../shared/wording/turn-steps.js';
import { statusOf, type Status } from './status.js';
import { sessionsVocabulary } from './vocabulary.js';

export interface Brief extends RestartFields {
  readonly sessionId: string;
  readonly status: Status;
  /** Why the last turn failed, and the next step. Only with status `error`. */
  readonly error?: string;
  /** Options from before a restart that are no longer in force. */
  readonly notRestored?: readonly string[];
}

/** The fields that every tool of this toolset returns. */
export function briefOf(session: SessionView, room: number): Brief {
  const status = statusOf(session.state);
  return {
    sessionId: session.id,
    status,
    ...(status === 'error' ? { error: errorOf(session, room) } : {}),
    ...restartFields(session, room),
    ...(session.notRestored.length === 0 ? {} : { notRestored: session.notRestored }),
  };
}

function errorOf({ lastResult }: SessionView, room: number): string {
  // The error of an earlier server process is not stored on disk.
  if (lastResult === undefined) return 'The last turn failed before this server was started.';
  const nextStep = turnStep(lastResult, sessionsVocabulary);
  const words = sentence(cutMiddle(lastResult.result, room));
  return nextStep === undefined ? words : `${words} ${nextStep}`;
}
