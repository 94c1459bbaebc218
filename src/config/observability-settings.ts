import { choice, integer, metricsOutput, onOff, path, type Setting } from './setting.js';

/** Settings of the log, the audit log and the metrics. */
export const observability = {
  logLevel: {
    kind: choice('debug', 'info', 'warn', 'error'),
    env: ['CLAUDE_CODE_MCP_LOG_LEVEL', 'LOG_LEVEL'],
    // Many clients show stderr to the person, who did not ask for a line per call.
    fallback: 'warn',
    doc: 'Log messages of this level and above to stderr: debug (also state changes), info (also calls, prompts and approvals), warn, error.',
  },
  auditLog: {
    kind: path,
    env: ['CLAUDE_CODE_MCP_AUDIT_LOG'],
    fallback: undefined,
    doc: 'File for the tamper-evident audit log of calls, prompts, approvals and costs. It must be outside all folders in which sessions work. Default: no audit log.',
  },
  auditRequired: {
    kind: onOff,
    env: ['CLAUDE_CODE_MCP_AUDIT_REQUIRED'],
    fallback: false,
    doc: 'Refuse starts, replies and approvals while the audit log cannot be written.',
  },
  auditMaxBytes: {
    kind: integer(10_000, 104_857_600),
    env: ['CLAUDE_CODE_MCP_AUDIT_MAX_BYTES'],
    fallback: 10_485_760,
    doc: 'Rotate the audit log at this size. Rotated files are never deleted.',
  },
  metrics: {
    kind: metricsOutput,
    env: ['CLAUDE_CODE_MCP_METRICS'],
    fallback: 'off',
    doc: 'File or loopback address for Prometheus metrics. The file is rewritten every 15 seconds and at exit, and {pid} in its name becomes the process id. The address serves /metrics. See docs/metrics.md.',
  },
} as const satisfies Readonly<Record<string, Setting>>;
