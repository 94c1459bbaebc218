import type { EventBody } from '../../core/session/events.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { TurnReport } from '../../core/session/turn-result.js';

/** Fields that hold words of Claude, of tools or of callers; the others are ids and fixed terms. */
type Words = {
  -readonly [K in 'text' | 'summary' | 'toolName' | 'agent' | 'state' | 'messageType']?: string;
};

/** In place, as the log takes the body over in any case: a copy per event would cost more than all the rest. */
export function redactEvent(body: EventBody, redactor: Redactor): void {
  const words = body as Words;
  if (words.text !== undefined) words.text = redactor.redact(words.text);
  // Plain conversation has none of the rest, and there is much of it.
  if (body.type === 'text' && words.agent === undefined) return;
  if (words.summary !== undefined) words.summary = redactor.redact(words.summary);
  if (words.toolName !== undefined) words.toolName = redactor.redact(words.toolName);
  if (words.agent !== undefined) words.agent = redactor.redact(words.agent);
  if (words.state !== undefined) words.state = redactor.redact(words.state);
  if (words.messageType !== undefined) words.messageType = redactor.redact(words.messageType);
}

/** What is said of a turn; how long it took and what it used are numbers by model. */
export function redactReport(report: TurnReport, redactor: Redactor): TurnReport {
  const { result, structuredOutput, permissionDenials } = report;
  return {
    ...report,
    result: redactor.redact(result),
    ...(structuredOutput === undefined ? {} : { structuredOutput: redactor.redactValue(structuredOutput) }),
    ...(permissionDenials === undefined
      ? {}
      : { permissionDenials: redactor.redactValue(permissionDenials) }),
  };
}
