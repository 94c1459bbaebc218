import type { AuditedCaller } from '../caller.js';
import type { AnsweredBy, Decision, InputKind } from '../session/events.js';
import type { CallOutcome, RefusalReason } from './measurements.js';
import type { Outcome } from '../session/session-state.js';
import type { ErrorSubtype } from '../session/turn-failures.js';
import type { StartedBy } from '../session/turn-result.js';

/** One line of the audit log. A service adds the principal whose sessions it concerns. */
export type AuditEntry = RecordedFact & { readonly principal?: string | undefined };

type RecordedFact =
  | ToolCallEntry
  | PromptEntry
  | ConfiguredEntry
  | SettledEntry
  | BypassEntry
  | TurnEndedEntry
  | CostEstimatedEntry
  | PageActionEntry
  | RequestRefusedEntry;

/** How a tool call ended. */
export interface ToolCallEntry extends AuditedCaller {
  readonly what: 'tool_call';
  readonly tool: string;
  readonly code: CallOutcome;
  /** Why the call was refused or failed. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
  readonly sessionId?: string | undefined;
  /** For tools with several actions. */
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  readonly decision?: string | undefined;
}

/** A prompt for a session. Recorded before the session receives it. */
interface PromptEntry extends AuditedCaller {
  readonly what: 'prompt_given';
  readonly sessionId: string;
  readonly forkOf?: string | undefined;
  readonly promptChars: number;
  /** Files that go with it: path, type and size. */
  readonly attachments?: readonly object[] | undefined;
  readonly cwd: string;
  /** Effective options without secrets; undefined when the live process keeps its options. */
  readonly options?: object | undefined;
  /** Names of the options that are left out because they may hold secrets. */
  readonly withheld?: readonly string[] | undefined;
}

/** A change of model or permission mode. Recorded before it takes effect. */
interface ConfiguredEntry extends AuditedCaller {
  readonly what: 'session_configured';
  readonly sessionId: string;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
}

/** `bypassPermissions` was enabled or disabled for new sessions of a client. */
interface BypassEntry extends AuditedCaller {
  readonly what: 'bypass_switched';
  readonly isOn: boolean;
  readonly by: 'caller' | 'person';
}

/** Names the client when a person or caller answered, and the call when a caller did. */
interface SettledEntry extends Partial<AuditedCaller> {
  readonly what: 'input_settled';
  readonly sessionId: string;
  readonly requestId: string;
  readonly kind: InputKind;
  readonly toolName: string;
  /** The request in one line. */
  readonly summary: string;
  /** SHA-256 of the input that runs, as JSON: the summary is masked and truncated. */
  readonly inputHash: string;
  /** Length of that input as JSON. */
  readonly inputChars: number;
  /** Where the call starts, if a command has moved the session away from its own folder. */
  readonly folder?: string | undefined;
  readonly decision: Decision;
  /** Allowed for the rest of the session. */
  readonly forSession?: boolean | undefined;
  /** The approver changed the input; the summary shows the changed one. */
  readonly isEdited?: boolean | undefined;
  /** Rules, modes and folders granted with the approval. */
  readonly granted?: readonly object[] | undefined;
  readonly answeredBy: AnsweredBy;
}

interface TurnEndedEntry {
  readonly what: 'turn_ended';
  readonly sessionId: string;
  readonly turn: number;
  /** Set if Claude Code began the turn by itself, so that no prompt belongs to it. */
  readonly startedBy?: StartedBy | undefined;
  readonly outcome: Outcome;
  readonly errorSubtype?: ErrorSubtype | undefined;
  readonly durationMs: number;
  readonly costUsd: number;
}

/** Estimated charge for a process that exited without reporting its cost. */
interface CostEstimatedEntry {
  readonly what: 'cost_estimated';
  readonly sessionId: string;
  readonly turn: number;
  readonly costUsd: number;
}

/** A person stopped a session on the page. */
interface PageActionEntry extends AuditedCaller {
  readonly what: 'page_action';
  readonly action: 'interrupt' | 'cancel';
  readonly sessionId: string;
}

/** HTTP requests that the service refused. Contains nothing of their tokens. */
interface RequestRefusedEntry {
  readonly what: 'request_refused';
  readonly reason: RefusalReason;
  /** The address of the sender. */
  readonly peer: string;
  readonly path: string;
  /** The name of its token, if that is valid. */
  readonly login?: string | undefined;
  /** How many such requests the entry stands for. */
  readonly count: number;
}

/** Port: the audit log. */
export interface Audit {
  /** Records an event that has happened. Never throws, because the event can no longer be refused. */
  record(entry: AuditEntry): void;
  /**
   * Records an action that is about to happen. Throws if the entry cannot be written and CLAUDE_CODE_MCP_AUDIT_REQUIRED
   * is set.
   */
  recordOrThrow(entry: AuditEntry): void;
}

/** Writes to several audit logs; the first that throws refuses the action. */
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
