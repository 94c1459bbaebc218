import type { Audit } from '../core/audit.js';
import type { Logger } from '../core/logger.js';

/** Decisions as lines of the log. */
export function createLogAudit(logger: Logger): Audit {
  return {
    record({ what, ...entry }) {
      logger.log('info', what.replaceAll('_', ' '), entry);
    },
  };
}
