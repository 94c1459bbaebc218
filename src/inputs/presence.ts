import type { FormReply } from '../core/forms.js';

/** Declines and other answers that arrive faster than this do not come from a person. */
const fastestDeclineMs = 1_000;
const fastestAnswerMs = 250;

/** Whether a person answered. Clients without a person reply automatically, at once. */
export function isByPerson({ action }: FormReply, elapsedMs: number): boolean {
  if (action === 'cancel') return false;
  return elapsedMs >= (action === 'decline' ? fastestDeclineMs : fastestAnswerMs);
}

/** Whether a client dismissed the form by itself. Clients do this when they run without a person. */
export function isDismissedByClient({ action }: FormReply, elapsedMs: number): boolean {
  return action !== 'accept' && elapsedMs < fastestDeclineMs;
}
