import type { Caller } from './caller.js';
import type { Form, FormReply } from './forms.js';
import type { View } from './view.js';

/** Port: the request that a tool serves, independent of the transport. */
export interface ToolContext {
  readonly caller: Caller;
  /** Aborts when the caller cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sends a progress line to the caller; undefined if the request carries no progress token. Never rejects. */
  readonly progress: ((message: string) => Promise<void>) | undefined;
  /** Sends a log notification for this request; undefined if the client does not receive them. Never rejects. */
  readonly log: ((notice: LogNotice) => Promise<void>) | undefined;
  /** Whether the tool may return a form, which the client shows before it calls again. */
  readonly canReturnForm: boolean;
  /** Names the session that the call concerns, for the audit log. */
  readonly concerns: (sessionId: string) => void;
  /** The person's reply to a form that an earlier call returned. */
  readonly returned: ReturnedForm | undefined;
}

export interface LogNotice {
  readonly level: 'info' | 'error';
  readonly logger: string;
  readonly data: unknown;
}

/** State with which the next call continues after a form, without repeating anything. */
export interface CallState {
  readonly sessionId: string;
  readonly requestId: string;
  /** The caller's cursor when the call began. */
  readonly cursor: number;
  /** When the call's wait ends; further rounds do not extend it. */
  readonly deadline: number;
  readonly round: number;
  readonly askedAt: number;
}

export interface ReturnedForm {
  readonly state: CallState;
  readonly reply: FormReply;
}

/** A form for the person behind the caller, and the state that the next call sends back. */
export interface FormOutcome {
  readonly form: Form;
  readonly state: CallState;
}

/** The outcome of a tool call: an answer, or a form for a person first. */
export type ToolOutcome = { readonly view: View } | FormOutcome;
