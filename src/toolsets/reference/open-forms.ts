import { clientKeyOf, type Caller } from '../../core/caller.js';
import type { Form, FormReply } from '../../core/forms.js';
import { parseSessionId } from '../../core/ids.js';
import type { ToolDependencies } from '../shared/define-tool.js';

/** Requests that are settled in another way leave their forms behind. */
const maxHanded = 1_000;

interface Handed {
  readonly form: Form;
  readonly askedAt: number;
}

/**
 * The forms of open requests for clients that follow a session as a task. They read the forms with every poll, and
 * answer them later in a separate request.
 */
export class OpenForms {
  readonly #handed = new Map<string, Handed>();

  /** The forms that this caller may show to its person, by request. */
  async read(
    sessionId: string,
    { sessions }: ToolDependencies,
    caller: Caller,
  ): Promise<ReadonlyMap<string, Form>> {
    const { approvals } = sessions;
    const { view } = await sessions.findToShow(parseSessionId(sessionId));
    const forms = new Map<string, Form>();
    // Clients read this every few seconds, so a form that the person dismissed stays away for a while.
    approvals.askAgain(view.openInputs, caller, { isPatient: true });
    for (const request of view.openInputs) {
      const { requestId } = request;
      const key = keyOf(requestId, caller);
      const handed =
        this.#handed.get(key) ??
        (approvals.canHandOver(request, caller) ? approvals.handOver(request, caller) : undefined);
      if (handed === undefined) continue;
      this.#handed.set(key, handed);
      const [oldest] = this.#handed.keys();
      if (this.#handed.size > maxHanded && oldest !== undefined) this.#handed.delete(oldest);
      forms.set(requestId, handed.form);
    }
    return forms;
  }

  /** Settles a request with the reply of the person. A reply is ignored if this caller was not given the form. */
  answer(requestId: string, reply: FormReply, { sessions }: ToolDependencies, caller: Caller): void {
    const key = keyOf(requestId, caller);
    // First, because it refuses callers that may not answer.
    sessions.approvals.takeBack(requestId, caller, reply, this.#handed.get(key)?.askedAt);
    this.#handed.delete(key);
  }
}

/** A principal may have several clients, each with a form and a person of its own. */
function keyOf(requestId: string, caller: Caller): string {
  return `${requestId} ${clientKeyOf(caller)}`;
}
