export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Port: the server log. Never stdout, which carries JSON-RPC. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** The same log with these fields in every line. */
export function withFields(logger: Logger, common: LogFields): Logger {
  return { log: (level, message, fields) => logger.log(level, message, { ...fields, ...common }) };
}
