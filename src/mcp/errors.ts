import * as z from 'zod';
import { AppError, messageOf, sentence } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import { messageFor } from '../core/reasons/index.js';
import { cutMiddle } from '../core/text/escape.js';
import type { ServedTool } from '../toolsets/shared/define-tool.js';
import { nextStepFor } from '../toolsets/shared/wording/next-step.js';
import type { Vocabulary } from '../toolsets/shared/wording/vocabulary.js';
import { toArgumentError } from './explain-issues.js';

/** A message may quote what it complains about, and that may be of any length. */
const maxMessageChars = 3_000;

interface ErrorDependencies {
  readonly logger: Logger;
  readonly ids: IdSource;
}

/** Whatever a tool call threw, as an error that may be shown. Unknown errors may quote anything, so they stay in the log. */
export function toAppError(error: unknown, tool: ServedTool, { logger, ids }: ErrorDependencies): AppError {
  if (error instanceof AppError) {
    // A refused caller may be trying something: the operator should be able to see it.
    if (error.code === 'PERMISSION_DENIED')
      logger.log('warn', 'a call was refused', {
        tool: tool.name,
        code: error.code,
        reason: error.message,
      });
    return error;
  }
  if (error instanceof z.ZodError) return toArgumentError(error, tool.input);
  const incident = ids.short();
  logger.log('error', 'a tool call failed', {
    incident,
    tool: tool.name,
    reason: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
  });
  return new AppError('server_fault', { incident });
}

/**
 * The text of an error result: `Error [CODE]: what happened. What to do next.` It is redacted before it is cut, because
 * half a secret is no longer recognised.
 */
export function errorText(error: AppError, vocabulary: Vocabulary, redactor: Redactor): string {
  const { code, reason, params } = error;
  const message = redactor.redact(messageFor(reason, params, vocabulary.keys));
  const text = `Error [${code}]: ${sentence(cutMiddle(message, maxMessageChars))}`;
  const nextStep = nextStepFor(error, vocabulary);
  return nextStep === undefined ? text : `${text} ${redactor.redact(nextStep)}`;
}
