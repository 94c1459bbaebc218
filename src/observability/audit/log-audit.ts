import type { Audit, AuditEntry } from '../../core/observability/audit.js';
import type { CallObserver } from '../../core/observability/call-observer.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { Logger, LogFields } from '../../core/observability/logger.js';

/** What is to be accounted for, as lines of the log. */
export function createLogAudit(logger: Logger): Audit {
  const write = ({ what, ...entry }: AuditEntry): void =>
    logger.log('info', what.replaceAll('_', ' '), plain(entry));
  return { record: write, recordOrThrow: write };
}

/** One line a tool call. */
export function createCallLog(logger: Logger): CallObserver {
  return { onCallEnded: ({ isRead: _isRead, ...call }) => logger.log('info', 'tool call', call) };
}

/** Tool calls as entries; a look that went well changes nothing and would bury the rest. */
export function createCallAudit(audit: Audit): CallObserver {
  return {
    onCallEnded({ isRead, ...call }) {
      if (!isRead || call.code !== 'ok') audit.record({ what: 'tool_call', ...call });
    },
  };
}

/** Tool calls as measurements. */
export function createCallMeter(meter: Meter): CallObserver {
  return {
    onCallEnded: ({ tool, code, durationMs }) =>
      meter.measure({ what: 'call_ended', tool, outcome: code, ms: durationMs }),
  };
}

/** A line of the log has no room for what is nested. */
function plain(entry: object): LogFields {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value !== 'object'));
}
