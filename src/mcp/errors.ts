import { AppError, messageOf, sentence } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import { messageFor } from '../core/reasons/index.js';
import { cutMiddle, escapeHidden } from '../core/text/escape.js';
import type { ServedTool } from '../toolsets/shared/define-tool.js';
import { nextStepFor } from '../toolsets/shared/wording/next-step.js';
import type { Vocabulary } from '../toolsets/shared/wording/vocabulary.js';

/** A message may quote the argument it rejects, which can be of any length, and of which every character may be escaped. */
const maxMessageChars = 3_000;

interface ErrorDependencies {
  readonly logger: Logger;
  readonly ids: IdSource;
}

/** Converts anything a tool call throws. Unknown errors may quote secrets, so only the log shows them. */
export function toAppError(error: unknown, tool: ServedTool, { logger, ids }: ErrorDependencies): AppError {
  if (error instanceof AppError) {
    // A refused caller may be probing, so the operator should see it.
    if (error.code === 'PERMISSION_DENIED')
      logger.log('warn', 'a call was refused', {
        tool: tool.name,
        code: error.code,
        reason: error.message,
      });
    return error;
  }
  const incident = ids.short();
  logger.log('error', 'a tool call failed', {
    incident,
    tool: tool.name,
    reason: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
  });
  return new AppError('server_fault', { incident });
}

/**
 * The text of an error result: `Error [CODE]: what happened. What to do next.` Redaction comes before truncation,
 * because the redactor does not recognise half a secret.
 */
export function errorText(error: AppError, vocabulary: Vocabulary, redactor: Redactor): string {
  const { code, reason, params } = error;
  const message = escapeHidden(redactor.redact(messageFor(reason, params, vocabulary.keys)));
  const text = `Error [${code}]: ${sentence(cutMiddle(message, maxMessageChars))}`;
  const nextStep = nextStepFor(error, vocabulary);
  return nextStep === undefined ? text : `${text} ${redactor.redact(nextStep)}`;
}
