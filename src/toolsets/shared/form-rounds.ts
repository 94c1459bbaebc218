import type { Caller } from '../../core/caller.js';
import type { InputRequest } from '../../core/session/inputs.js';
import type { CallState, FormOutcome, ReturnedForm, ToolContext } from '../../core/tool-context.js';
import type { Approvals } from '../../sessions/approvals.js';

/** Clients stop after ten rounds. */
export const maxRounds = 8;

/**
 * The forms that a call returns to the person behind its client, in the protocol in which the client calls again with
 * the reply. Each return is one round.
 */
export class FormRounds {
  readonly #approvals: Approvals;
  readonly #caller: Caller;
  readonly #round: number;
  readonly #canReturnForm: boolean;

  constructor(approvals: Approvals, { caller, canReturnForm, returned }: ToolContext) {
    this.#approvals = approvals;
    this.#caller = caller;
    this.#canReturnForm = canReturnForm;
    this.#round = (returned?.state.round ?? 0) + 1;
  }

  /** Whether the client can show forms, but has reached its limit of rounds. */
  get isExhausted(): boolean {
    return this.#canReturnForm && this.#round > maxRounds;
  }

  /** Whether another form can be returned at all. Cheap: a waiting call asks it for every event. */
  get isOpen(): boolean {
    return this.#canReturnForm && this.#round <= maxRounds;
  }

  /** Whether a form for this request can be returned and has not been shown yet. */
  canAsk(request: InputRequest): boolean {
    return this.isOpen && this.#approvals.canHandOver(request, this.#caller);
  }

  /** The form for this request, with the state to resume the call from. */
  ask(
    request: InputRequest,
    { cursor, deadline }: Pick<CallState, 'cursor' | 'deadline'>,
  ): FormOutcome | undefined {
    const handed = this.canAsk(request) ? this.#approvals.handOver(request, this.#caller) : undefined;
    if (handed === undefined) return undefined;
    const { sessionId, requestId } = request;
    const { form, askedAt } = handed;
    return { form, state: { sessionId, requestId, cursor, deadline, round: this.#round, askedAt } };
  }
}

/** Settles the request of a form with the reply that the client brought back. */
export function takeBackForm({ state, reply }: ReturnedForm, approvals: Approvals, caller: Caller): void {
  approvals.takeBack(state.requestId, caller, reply, state.askedAt);
}
