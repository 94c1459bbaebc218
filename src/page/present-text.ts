import type { Redactor } from '../core/observability/redactor.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { SessionView } from '../session/session-view.js';
import type { PresentText } from './what.js';

/** What the file contains that a call is about to replace. */
export async function presentTextFor(
  _request: InputRequest,
  _view: SessionView | undefined,
  _deps: { readonly redactor: Redactor },
): Promise<PresentText> {
  return { text: undefined };
}
