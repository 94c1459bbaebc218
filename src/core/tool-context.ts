import type { Caller } from './caller.js';
import type { Form, FormReply } from './forms.js';
import type { View } from './view.js';

/** Port: what a tool knows of the request it serves, whatever the transport. */
export interface ToolContext {
  readonly caller: Caller;
  /** Aborts when the caller cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Sends a readable line to the caller; undefined when the request carries no progress token. Never rejects. */
  readonly progress: ((message: string) => Promise<void>) | undefined;
  /** Sends a log notification of this request; undefined when nobody would hear it. Never rejects. */
  readonly log: ((notice: LogNotice) => Promise<void>) | undefined;
  /** Whether the answer may be a form: the client shows it and calls again. */
  readonly canReturnForm: boolean;
  /** Told which session the call turned out to be about, for those who write it down. */
  readonly concerns: (sessionId: string) => void;
  /** Set when this is that second call. */
  readonly returned: ReturnedForm | undefined;
}

export interface LogNotice {
  readonly level: 'info' | 'error';
  readonly logger: string;
  readonly data: unknown;
}

/** Where a call was when it handed over a form: enough to go on without doing anything twice. */
export interface CallState {
  readonly sessionId: string;
  readonly requestId: string;
  /** What the caller had seen of the session when the call began. */
  readonly cursor: number;
  /** When the call's wait ends; a round does not renew it. */
  readonly deadline: number;
  readonly round: number;
  readonly askedAt: number;
}

export interface ReturnedForm {
  readonly state: CallState;
  readonly reply: FormReply;
}

/** A form for the person behind the caller, and the state to come back with. */
export interface FormOutcome {
  readonly form: Form;
  readonly state: CallState;
}

/** What a tool call comes to: an answer, or a question to a person first. */
export type ToolOutcome = { readonly view: View } | FormOutcome;
