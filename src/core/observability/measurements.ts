import type { ErrorCode } from '../reasons/codes.js';
import type { AnsweredBy, Decision, InputKind } from '../session/events.js';
import type { Outcome, SessionStatus } from '../session/session-state.js';
import type { ErrorSubtype } from '../session/turn-failures.js';
import type { Tokens } from '../session/usage.js';

/** How a call of one of our tools ended. */
export type CallOutcome = 'ok' | 'input_required' | ErrorCode;

/** How a tool call of Claude ended; `unfinished`: its process was gone before it told. */
export type ClaudeToolOutcome = 'ok' | 'error' | 'denied' | 'unfinished';

/** Something that was counted or timed, as data. No ids, no prompts, no paths. */
export type Measurement =
  | {
      readonly what: 'call_ended';
      readonly tool: string;
      readonly outcome: CallOutcome;
      readonly ms: number;
    }
  /** `tool` is as Claude Code named it: servers choose names too. */
  | { readonly what: 'claude_tool_ended'; readonly tool: string; readonly outcome: ClaudeToolOutcome }
  /** Claude has said or done the first thing in a turn. */
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
  /** It works on a conversation, or was gone before it did. */
  | { readonly what: 'process_ready'; readonly isReady: boolean; readonly ms: number }
  | { readonly what: 'process_ended' }
  /** `status` is that of the API; undefined when there was no answer. */
  | { readonly what: 'api_retried'; readonly status: number | undefined }
  | { readonly what: 'model_used'; readonly model: string; readonly costUsd: number; readonly tokens: Tokens }
  | { readonly what: 'event_stored' }
  | { readonly what: 'events_dropped'; readonly count: number };

/** Port: where measurements go. */
export interface Meter {
  measure(measurement: Measurement): void;
  /** Asked whenever somebody reads the metrics: the states of all sessions. */
  watchSessions(statuses: () => readonly SessionStatus[]): void;
}

/** For an operator who wants no metrics. */
export const noMeter: Meter = { measure: () => undefined, watchSessions: () => undefined };

/** Where an operator wants to find the metrics. */
export type MetricsTarget =
  | { readonly kind: 'file'; readonly path: string }
  /** Port 0: any that is free. */
  | { readonly kind: 'http'; readonly host: '127.0.0.1' | '::1'; readonly port: number };
