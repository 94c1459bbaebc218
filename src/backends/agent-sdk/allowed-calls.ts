import { canonicalHash } from '../../core/canonical-hash.js';
import type { AllowAnswer } from '../../core/session/inputs.js';

/** Claude Code asks again within moments; an approval that was not used by then is not kept for anything else. */
const keptMs = 30_000;

interface AllowedCall {
  readonly call: string;
  readonly answer: AllowAnswer;
}

/**
 * What was allowed at the gate: Claude Code asks once more, and is told the same. Only for the very call that somebody
 * has seen: a hook can change the input in between.
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

  /** The answer, once; undefined when this is another call than the one that was allowed. */
  take(toolUseId: string, toolName: string, input: unknown): AllowAnswer | undefined {
    const allowed = this.#calls.get(toolUseId);
    this.#calls.delete(toolUseId);
    return allowed?.call === canonicalHash([toolName, input]) ? allowed.answer : undefined;
  }
}
