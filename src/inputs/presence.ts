import type { FormReply } from '../core/forms.js';

/** A decline or any answer that comes faster than this was no person's. */
const fastestDeclineMs = 1_000;
const fastestAnswerMs = 250;

/** Whether somebody was there. Clients without a person answer by themselves, at once. */
export function isByPerson({ action }: FormReply, elapsedMs: number): boolean {
  if (action === 'cancel') return false;
  return elapsedMs >= (action === 'decline' ? fastestDeclineMs : fastestAnswerMs);
}
