import type { AnswerPage } from '../../core/forms.js';

/** The page at this address. A link names the request and nothing else, so its reader must be signed in. */
export function answersAt(origin: string): AnswerPage {
  return { linkTo: (requestId) => `${origin}/#request=${encodeURIComponent(requestId)}` };
}
