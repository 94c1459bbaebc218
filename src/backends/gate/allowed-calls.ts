import { canonicalHash } from '../../core/canonical-hash.js';
import type { AllowAnswer } from '../../core/session/inputs.js';

/** Claude Code does not ask again about every call: a rule can deny it in between. */
const mostKept = 1_000;

interface AllowedCall {
  readonly call: string;
  readonly answer: AllowAnswer;
}

/**
 * Calls that were allowed at the gate. Claude Code asks once more, as soon as all other hooks have answered, and gets the
 * same answer, but only for the exact call that the approver saw: a hook can change the input in between.
 */
export class AllowedCalls {
  readonly #calls = new Map<string, AllowedCall>();

  add(toolUseId: string, toolName: string, input: unknown, answer: AllowAnswer): void {
    this.#calls.set(toolUseId, { call: canonicalHash([toolName, input]), answer });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > mostKept && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Returns the answer once; undefined for any other call than the allowed one. */
  take(toolUseId: string, toolName: string, input: unknown): AllowAnswer | undefined {
    const allowed = this.#calls.get(toolUseId);
    this.#calls.delete(toolUseId);
    return allowed?.call === canonicalHash([toolName, input]) ? allowed.answer : undefined;
  }
}
