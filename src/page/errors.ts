import type { AppError } from '../core/errors.js';
import type { Redactor } from '../core/observability/redactor.js';
import { cutMiddle } from '../core/text/escape.js';
import type { PageError } from './contract.js';
import { firstIn } from './settlements.js';
import { inWords } from './wording/problems.js';
import { visible } from './wording/texts.js';

/** A message may quote an edited input of any length. */
const maxMessageChars = 2_000;

/** An error as the page shows it. A late answer also says who was first. */
export function toPageError(error: AppError, redactor: Redactor): PageError {
  const settlement = firstIn(error);
  return {
    reason: error.reason,
    message: cutMiddle(visible(redactor.redact(inWords(error))), maxMessageChars),
    ...(settlement === undefined ? {} : { settlement }),
  };
}
