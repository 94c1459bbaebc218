import type { Logger, LogFields, LogLevel } from '../core/logger.js';

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** One line of JSON per event. `write` is stderr in production: stdout belongs to JSON-RPC. */
export function createLogger(level: LogLevel, write: (line: string) => void, now: () => number): Logger {
  const lowest = order.indexOf(level);
  return {
    log(at: LogLevel, message: string, fields: LogFields = {}): void {
      if (order.indexOf(at) < lowest) return;
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level: at, message, ...fields })}\n`);
    },
  };
}
