import type { Clock } from '../clock.js';
import type { Logger } from './logger.js';

const onceInMs = 60_000;

/** Writes each message once a minute at most, and then how many more there were: strangers can cause any number. */
export function sparingLogger(logger: Logger, clock: Pick<Clock, 'elapsed'>): Logger {
  const written = new Map<string, { readonly at: number; more: number }>();
  return {
    log(level, message, fields) {
      const last = written.get(message);
      const now = clock.elapsed();
      if (last !== undefined && now - last.at < onceInMs) {
        last.more += 1;
        return;
      }
      written.set(message, { at: now, more: 0 });
      const more = last === undefined || last.more === 0 ? {} : { more: last.more };
      logger.log(level, message, { ...fields, ...more });
    },
  };
}
