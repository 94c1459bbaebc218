import type { ErrorSubtype } from './turn-failures.js';
import type { Outcome } from './session-state.js';

export type InputKind = 'permission' | 'plan_review' | 'user_question';
export type Decision = 'allow' | 'deny' | 'none';
export type AnsweredBy =
  'rule' | 'caller' | 'elicitation' | 'page' | 'timeout' | 'interrupt' | 'cancel' | 'withdrawn' | 'shutdown';

/** Those who answer a request; all other values of AnsweredBy end it without an answer. */
export type Answerer = Extract<AnsweredBy, 'caller' | 'elicitation' | 'page'>;

/** Whether a person answered, through a form of their client or on the page. */
export function isPersonsAnswer(answeredBy: AnsweredBy): boolean {
  return answeredBy === 'elicitation' || answeredBy === 'page';
}

/** Whether the request was answered, and did not end in another way. */
export function isAnswer(answeredBy: AnsweredBy): answeredBy is Answerer {
  return answeredBy === 'caller' || isPersonsAnswer(answeredBy);
}

/**
 * A normalised event, the only form in which backends report. `chars` is the original length of a truncated `text`;
 * absent if the text is complete.
 */
export type EventBody =
  | { readonly type: 'text'; readonly text: string; readonly chars?: number; readonly agent?: string }
  | { readonly type: 'thinking'; readonly text: string; readonly chars?: number; readonly agent?: string }
  | {
      readonly type: 'tool_use';
      readonly toolUseId: string;
      readonly toolName: string;
      readonly summary: string;
      /** The file that the tool changes, if it is one that changes a file. */
      readonly file?: string;
      readonly agent?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly isError: boolean;
      /** Set if the call did not run because a rule or an approver denied it. */
      readonly isDenied?: true;
      readonly text: string;
      readonly chars?: number;
      readonly agent?: string;
    }
  | {
      readonly type: 'input_request';
      readonly requestId: string;
      /** The tool call that needs the answer. */
      readonly toolUseId: string;
      readonly kind: InputKind;
      readonly toolName: string;
      readonly summary: string;
      readonly agent?: string;
    }
  | {
      readonly type: 'input_resolved';
      readonly requestId: string;
      /** `none` if it was withdrawn: nobody decided, and the tool may have run in another way. */
      readonly decision: Decision;
      readonly answeredBy: AnsweredBy;
      /** The name of the device, if a person answered on the page. */
      readonly device?: string;
      /** Set with `file` only. */
      readonly toolUseId?: string;
      /** The file that the tool call changes now that the approver has edited it. */
      readonly file?: string;
    }
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'task'; readonly taskId: string; readonly state: string; readonly text: string }
  | {
      readonly type: 'result';
      readonly outcome: Outcome;
      readonly errorSubtype?: ErrorSubtype;
      readonly text: string;
    }
  | { readonly type: 'error'; readonly errorSubtype: ErrorSubtype; readonly text: string }
  | { readonly type: 'raw'; readonly messageType: string };

export type SessionEvent = EventBody & {
  /** 1, 2, 3 … within a session. A cursor is the seq of the last event seen. */
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
};

const pinnedTypes: ReadonlySet<EventBody['type']> = new Set([
  'input_request',
  'input_resolved',
  'result',
  'error',
]);

/** Pinned events end the wait of a caller, and are evicted last. */
export function isPinned(event: { readonly type: EventBody['type'] }): boolean {
  return pinnedTypes.has(event.type);
}
