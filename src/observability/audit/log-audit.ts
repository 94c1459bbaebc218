import type { Audit, AuditEntry } from '../../core/observability/audit.js';
import type { CallObserver } from '../../core/observability/call-observer.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { Logger, LogFields } from '../../core/observability/logger.js';

/** Writes audit entries to the server log. */
export function createLogAudit(logger: Logger): Audit {
  const write = ({ what, ...entry }: AuditEntry): void =>
    logger.log('info', what.replaceAll('_', ' '), plain(entry));
  return { record: write, recordOrThrow: write };
}

/** Logs one line per tool call. */
export function createCallLog(logger: Logger): CallObserver {
  return { onCallEnded: ({ isRead: _isRead, ...call }) => logger.log('info', 'tool call', call) };
}

/** Records tool calls, except successful read-only ones, which would bury the rest. */
export function createCallAudit(audit: Audit): CallObserver {
  return {
    onCallEnded({ isRead, ...call }) {
      if (!isRead || call.code !== 'ok') audit.record({ what: 'tool_call', ...call });
    },
  };
}

/** Measures tool calls. */
export function createCallMeter(meter: Meter): CallObserver {
  return {
    onCallEnded: ({ tool, code, durationMs }) =>
      meter.measure({ what: 'call_ended', tool, outcome: code, ms: durationMs }),
  };
}

/** Log lines are flat, so nested values are omitted. */
function plain(entry: object): LogFields {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value !== 'object'));
}
