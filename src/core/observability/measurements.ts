import type { ErrorCode } from '../reasons/codes.js';
import type { AnsweredBy, Decision, InputKind } from '../session/events.js';
import type { Outcome, SessionStatus } from '../session/session-state.js';
import type { ErrorSubtype } from '../session/turn-failures.js';
import type { Tokens } from '../session/usage.js';

export type CallOutcome = 'ok' | 'input_required' | ErrorCode;

/** How a tool call of Claude ended; `unfinished`: the process exited before it reported a result. */
export type ClaudeToolOutcome = 'ok' | 'error' | 'denied' | 'unfinished';

/** Why the service refuses an HTTP request before any tool sees it. */
export type RefusalReason =
  | 'foreign_host'
  | 'foreign_page'
  | 'no_token'
  | 'wrong_token'
  | 'expired_token'
  | 'wrong_audience'
  | 'unknown_principal'
  | 'missing_scope'
  /** The connection of the 2025 protocols was opened with another credential. */
  | 'foreign_connection'
  | 'too_many_failures'
  | 'too_many_requests'
  | 'too_many_anonymous'
  /** The tokens or devices on disk, or the keys of the OAuth issuer, cannot be read. */
  | 'login_unavailable'
  | DeviceRefusal;

/** Why the page refuses a browser. */
export type DeviceRefusal =
  /** A call without a cookie and a key. */
  | 'no_device'
  /** The device is unknown, expired or revoked, or sends only one half of its credential. */
  | 'wrong_device'
  /** The pairing code is unknown, expired or used. */
  | 'wrong_code'
  | 'wrong_password';

/** Something to count or time. Holds no ids, prompts or paths. */
export type Measurement =
  | {
      readonly what: 'call_ended';
      readonly tool: string;
      readonly outcome: CallOutcome;
      readonly ms: number;
    }
  /** `tool` is the name that Claude Code reports; MCP servers choose theirs freely. */
  | { readonly what: 'claude_tool_ended'; readonly tool: string; readonly outcome: ClaudeToolOutcome }
  /** The first text or tool call of a turn has arrived. */
  | { readonly what: 'turn_stirred'; readonly ms: number }
  | {
      readonly what: 'turn_ended';
      readonly outcome: Outcome;
      readonly errorSubtype: ErrorSubtype | undefined;
      readonly ms: number;
    }
  | {
      readonly what: 'input_settled';
      readonly kind: InputKind;
      readonly decision: Decision;
      readonly answeredBy: AnsweredBy;
      readonly ms: number;
    }
  | { readonly what: 'process_started' }
  /** The process has loaded its conversation, or exited before that. */
  | { readonly what: 'process_ready'; readonly isReady: boolean; readonly ms: number }
  | { readonly what: 'process_ended' }
  /** `status` is the HTTP status; undefined when there was no response. */
  | { readonly what: 'api_retried'; readonly status: number | undefined }
  | { readonly what: 'model_used'; readonly model: string; readonly costUsd: number; readonly tokens: Tokens }
  | { readonly what: 'event_stored' }
  | { readonly what: 'events_dropped'; readonly count: number }
  | { readonly what: 'request_refused'; readonly reason: RefusalReason };

/** Port: receives measurements. */
export interface Meter {
  measure(measurement: Measurement): void;
  /** Registers the source of session states, which is read on each scrape. */
  watchSessions(statuses: () => readonly SessionStatus[]): void;
}

/** Used while metrics are off. */
export const noMeter: Meter = { measure: () => undefined, watchSessions: () => undefined };

/** Destination of the metrics. */
export type MetricsTarget =
  | { readonly kind: 'file'; readonly path: string }
  /** Port 0 picks a free port. */
  | { readonly kind: 'http'; readonly host: string; readonly port: number };
