export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Port: where the server tells its operator what happens. Never stdout, which belongs to JSON-RPC. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}
