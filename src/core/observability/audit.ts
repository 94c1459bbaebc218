import type { AuditedCaller } from '../caller.js';
import type { AnsweredBy, Decision, InputKind } from '../session/events.js';
import type { CallOutcome } from './measurements.js';
import type { Outcome } from '../session/session-state.js';
import type { ErrorSubtype } from '../session/turn-failures.js';

/** Something that somebody may have to account for later. */
export type AuditEntry =
  | ToolCallEntry
  | PromptEntry
  | ConfiguredEntry
  | SettledEntry
  | BypassEntry
  | TurnEndedEntry
  | CostEstimatedEntry;

/** How a tool call ended. */
export interface ToolCallEntry extends AuditedCaller {
  readonly what: 'tool_call';
  readonly tool: string;
  readonly code: CallOutcome;
  /** Why it was refused, or failed. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
  readonly sessionId?: string | undefined;
  /** What the call was to do, where the tool alone does not say. */
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  readonly decision?: string | undefined;
}

/** Somebody gives a session something to do. Written before it is passed on. */
interface PromptEntry extends AuditedCaller {
  readonly what: 'prompt_given';
  readonly sessionId: string;
  readonly forkOf?: string | undefined;
  readonly promptChars: number;
  readonly cwd: string;
  /** As the policy lets them be, without what may be secret; undefined when the live process keeps its own. */
  readonly options?: object | undefined;
  /** Options that are not told here, because they may be secret. */
  readonly withheld?: readonly string[] | undefined;
}

/** Somebody changes what a session runs with. Written before it is done. */
interface ConfiguredEntry extends AuditedCaller {
  readonly what: 'session_configured';
  readonly sessionId: string;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
}

/** Somebody has let new sessions of a client run everything unasked, or has ended that. */
interface BypassEntry extends AuditedCaller {
  readonly what: 'bypass_switched';
  readonly isOn: boolean;
  readonly by: 'caller' | 'person';
}

/** Of a person or a caller it also says who, and of a caller by which call. */
interface SettledEntry extends Partial<AuditedCaller> {
  readonly what: 'input_settled';
  readonly sessionId: string;
  readonly requestId: string;
  readonly kind: InputKind;
  readonly toolName: string;
  /** What it was about, in one line of ours. */
  readonly summary: string;
  readonly decision: Decision;
  /** Also for the rest of the session. */
  readonly forSession?: boolean | undefined;
  /** Something else runs than was asked for: the summary is of that. */
  readonly isEdited?: boolean | undefined;
  /** Rules, modes and folders that were granted with it. */
  readonly granted?: readonly object[] | undefined;
  readonly answeredBy: AnsweredBy;
}

interface TurnEndedEntry {
  readonly what: 'turn_ended';
  readonly sessionId: string;
  readonly turn: number;
  readonly outcome: Outcome;
  readonly errorSubtype?: ErrorSubtype | undefined;
  readonly durationMs: number;
  readonly costUsd: number;
}

/** What a process that is gone had not told the cost of, and was charged for. */
interface CostEstimatedEntry {
  readonly what: 'cost_estimated';
  readonly sessionId: string;
  readonly turn: number;
  readonly costUsd: number;
}

/** Port: where it is written down. */
export interface Audit {
  /** After the fact. Never throws: what has happened cannot be refused any more. */
  record(entry: AuditEntry): void;
  /** Before the fact. Throws where nothing may be done that is not written down, and this could not be. */
  recordOrThrow(entry: AuditEntry): void;
}

/** The same in several places: what one of them refuses is refused. */
export function auditTo(audits: readonly Audit[]): Audit {
  return {
    record(entry) {
      for (const audit of audits) audit.record(entry);
    },
    recordOrThrow(entry) {
      for (const audit of audits) audit.recordOrThrow(entry);
    },
  };
}
