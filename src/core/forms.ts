import type { AuditedCaller } from './caller.js';

/** A field of a flat form, restricted to what every form-capable client understands. */
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

/** A question that a client shows to a person. */
export interface Form {
  readonly message: string;
  readonly fields: Readonly<Record<string, FormField>>;
  readonly required: readonly string[];
  /**
   * Where the person answers instead. The client only asks whether to open this address, so its reply answers nothing.
   */
  readonly url?: string;
}

/** A person's reply: `decline` means no, `cancel` means no answer. */
export type FormReply =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | {
      readonly action: 'decline' | 'cancel';
      /** Set if the client replied with an error. */
      readonly problem?: string;
    };

/** How a client can involve its person. */
export interface Showing {
  readonly showForms: boolean;
  /** Opens an address in the person's browser. */
  readonly openPages: boolean;
}

/** Port: the page on which people answer. */
export interface AnswerPage {
  /** The address of a request, without credentials. Undefined while there is no page. */
  linkTo(requestId: string): string | undefined;
}

export const noPage: AnswerPage = { linkTo: () => undefined };

/** Port: a client that can show a form to a person at any time. */
export interface Approver {
  /** The client through which the person answers; see `Caller`. */
  readonly who: AuditedCaller;
  readonly can: Showing;
  /** Rejects if there is no reply. Aborting removes the form from the person's screen. */
  show(form: Form, options: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<FormReply>;
}
