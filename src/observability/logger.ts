import type { Logger, LogFields, LogLevel } from '../core/logger.js';
import type { Redactor } from '../core/redactor.js';

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogOutput {
  /** Stderr in production: stdout belongs to JSON-RPC. */
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly redactor: Redactor;
}

/** One line of JSON per event, without secrets. */
export function createLogger(level: LogLevel, { write, now, redactor }: LogOutput): Logger {
  const lowest = order.indexOf(level);
  return {
    log(at: LogLevel, message: string, fields: LogFields = {}): void {
      if (order.indexOf(at) < lowest) return;
      const entry = redactor.redactValue({ message, ...fields });
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: at, ...entry })}\n`);
    },
  };
}
