import { sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { ErrorSubtype } from '../../core/session/turn-failures.js';
import type { Session } from '../../session/session.js';
import { statusOf, type Status } from './status.js';

export interface Brief {
  readonly sessionId: string;
  readonly status: Status;
  /** Why the last turn failed and what to do, while the status is `error`. */
  readonly error?: string;
}

/** What every tool here tells of a session. */
export function briefOf(session: Session, room: number): Brief {
  const status = statusOf(session.state);
  return { sessionId: session.id, status, ...(status === 'error' ? { error: errorOf(session, room) } : {}) };
}

/** Where the usual next step names what claude_send_message does not take. */
const nextSteps: Readonly<Partial<Record<ErrorSubtype, string>>> = {
  max_budget: 'Start a new session with a higher maxBudgetUsd, or stop here.',
  max_turns: 'Send another message to let it go on.',
  time_limit: 'Send another message to let it go on.',
};

function errorOf({ lastResult }: Session, room: number): string {
  // Its words were not kept on disk.
  if (lastResult === undefined) return 'The last turn failed before this server was started.';
  const { result, errorSubtype } = lastResult;
  const nextStep = (errorSubtype && nextSteps[errorSubtype]) ?? lastResult.nextStep;
  const words = sentence(cutMiddle(result, room));
  return nextStep === undefined ? words : `${words} ${nextStep}`;
}
