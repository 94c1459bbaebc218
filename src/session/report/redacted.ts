import type { EventBody } from '../../core/session/events.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { TurnReport } from '../../core/session/turn-result.js';

/** Fields with text from Claude, tools or callers. All other fields are ids and fixed terms. */
type Words = {
  -readonly [K in 'text' | 'summary' | 'file' | 'toolName' | 'agent' | 'state' | 'messageType']?: string;
};

/** Redacts in place, because the log takes over the body anyway and a copy per event would dominate the cost. */
export function redactEvent(body: EventBody, redactor: Redactor): void {
  const words = body as Words;
  if (words.text !== undefined) words.text = redactor.redact(words.text);
  // Fast path: plain text has no other fields, and most events are plain text.
  if (body.type === 'text' && words.agent === undefined) return;
  if (words.summary !== undefined) words.summary = redactor.redact(words.summary);
  if (words.file !== undefined) words.file = redactor.redact(words.file);
  if (words.toolName !== undefined) words.toolName = redactor.redact(words.toolName);
  if (words.agent !== undefined) words.agent = redactor.redact(words.agent);
  if (words.state !== undefined) words.state = redactor.redact(words.state);
  if (words.messageType !== undefined) words.messageType = redactor.redact(words.messageType);
}

/** Redacts the texts of a report. The remaining fields are numbers by model. */
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
