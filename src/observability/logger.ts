import { escapeHidden, jsonLine } from '../core/text/escape.js';
import type { Logger, LogFields, LogLevel } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import { redactRecord } from '../core/observability/redact-record.js';

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogOutput {
  /** Stderr in production: stdout belongs to JSON-RPC. */
  readonly write: (line: string) => void;
  /** Writes readable text instead of JSON. */
  readonly isTerminal: boolean;
  readonly now: () => number;
  readonly redactor: Redactor;
}

interface Line {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Writes one line per event, without secrets: JSON for programs, text for people. */
export function createLogger(level: LogLevel, { write, isTerminal, now, redactor }: LogOutput): Logger {
  const lowest = order.indexOf(level);
  const format = isTerminal ? asWords : asJson;
  return {
    log(at: LogLevel, message: string, fields: LogFields = {}): void {
      if (order.indexOf(at) < lowest) return;
      const time = new Date(now()).toISOString();
      const line = {
        time,
        level: at,
        message: redactor.redact(message),
        fields: redactRecord(fields, redactor),
      };
      write(`${format(line)}\n`);
    },
  };
}

function asJson({ time, level, message, fields }: Line): string {
  return jsonLine({ time, level, message, ...fields });
}

/** Escapes a line, so that it can neither move the cursor nor imitate several lines. */
function asWords({ time, level, message, fields }: Line): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${shown(String(value))}`],
  );
  const words = [time.slice(11, 23), level.toUpperCase().padEnd(5), visible(message), ...pairs];
  return words.join(' ');
}

function shown(value: string): string {
  return visible(/^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

function visible(text: string): string {
  return escapeHidden(text).replaceAll('\n', String.raw`\n`);
}
