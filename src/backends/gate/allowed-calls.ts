import { canonicalHash } from '../../core/canonical-hash.js';
import type { AllowAnswer } from '../../core/session/inputs.js';

/** Claude Code asks again within moments. An approval that is not used by then expires. */
const keptMs = 30_000;

interface AllowedCall {
  readonly call: string;
  readonly answer: AllowAnswer;
}

/**
 * Calls that were allowed at the gate. Claude Code asks once more and gets the same answer, but only for the exact call
 * that the approver saw: a hook can change the input in between.
 */
export class AllowedCalls {
  readonly #calls = new Map<string, AllowedCall>();

  add(toolUseId: string, toolName: string, input: unknown, answer: AllowAnswer): void {
    const allowed = { call: canonicalHash([toolName, input]), answer };
    this.#calls.set(toolUseId, allowed);
    setTimeout(() => {
      if (this.#calls.get(toolUseId) === allowed) this.#calls.delete(toolUseId);
    }, keptMs).unref();
  }

  /** Returns the answer once; undefined for any other call than the allowed one. */
  take(toolUseId: string, toolName: string, input: unknown): AllowAnswer | undefined {
    const allowed = this.#calls.get(toolUseId);
    this.#calls.delete(toolUseId);
    return allowed?.call === canonicalHash([toolName, input]) ? allowed.answer : undefined;
  }
}
