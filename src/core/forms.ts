import type { AuditedCaller } from './caller.js';

/** A field of a flat form: what every client that can show forms understands. */
export type FormField =
  | {
      readonly type: 'string';
      readonly title: string;
      readonly description?: string;
      readonly enum?: string[];
      /** What people read instead of the values, in the same order. */
      readonly enumNames?: string[];
    }
  | {
      readonly type: 'array';
      readonly title: string;
      readonly description?: string;
      readonly items: { readonly type: 'string'; readonly enum: string[] };
    };

/** A question to a person, shown by their client. */
export interface Form {
  readonly message: string;
  readonly fields: Readonly<Record<string, FormField>>;
  readonly required: readonly string[];
}

/** What came back: `decline` is a no, `cancel` is no answer at all. */
export type FormReply =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** Port: somebody who can put a form before a person at any time. */
export interface Approver {
  /** Whose person it is; see `Caller`. */
  readonly who: AuditedCaller;
  /** Rejects when the form could not be shown; an aborted form is taken away from the person. */
  show(form: Form, options: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<FormReply>;
}
