export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Port: where the server tells its operator what happens. Never stdout, which belongs to JSON-RPC. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** The same log; every line of it also says what it belongs to. */
export function withFields(logger: Logger, common: LogFields): Logger {
  return { log: (level, message, fields) => logger.log(level, message, { ...fields, ...common }) };
}
