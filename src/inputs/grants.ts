import { canonicalHash } from '../core/canonical-hash.js';
import type { InputAsk } from '../core/session/inputs.js';
import { quoteCode } from './quote.js';

/** Grants in the session record. Calls are stored as hashes, because inputs may be confidential. */
export interface GrantRecord {
  readonly calls: string[];
  readonly rules: string[];
  /** The subset of `calls` that a person allowed: where only people may approve, only these count. */
  readonly callsByPerson?: string[] | undefined;
}

/** Calls and rules that an approver allowed for the rest of a session. */
export class Grants {
  readonly #calls: Set<string>;
  readonly #rules: Set<string>;
  readonly #callsByPerson: Set<string>;

  constructor({ calls, rules, callsByPerson }: GrantRecord = { calls: [], rules: [] }) {
    this.#calls = new Set(calls);
    this.#rules = new Set(rules);
    this.#callsByPerson = new Set(callsByPerson);
  }

  /** Rules for the next process. The live process received them when they were granted. */
  get rules(): readonly string[] {
    return [...this.#rules];
  }

  add(ask: InputAsk, isByPerson: boolean): void {
    this.#calls.add(keyOf(ask));
    if (isByPerson) this.#callsByPerson.add(keyOf(ask));
    this.addRules(ask.suggestedRules ?? []);
  }

  /** Covers only the same tool with the same input. */
  covers(ask: InputAsk, isPersonNeeded: boolean): boolean {
    const calls = isPersonNeeded ? this.#callsByPerson : this.#calls;
    return ask.kind === 'permission' && calls.has(keyOf(ask));
  }

  addRules(rules: readonly string[]): void {
    for (const rule of rules) this.#rules.add(rule);
  }

  toRecord(): GrantRecord {
    return { calls: [...this.#calls], rules: [...this.#rules], callsByPerson: [...this.#callsByPerson] };
  }
}

/** The description of a grant is short, and is never truncated. */
const maxGrantChars = 280;

/** Whether the description of the grant shows all rules in full: nobody can grant what they cannot read. */
export function areRulesReadable(ask: InputAsk): boolean {
  return grantInWords(ask).length <= maxGrantChars;
}

/** Describes the grant to the approver before they give it. */
export function grantInWords({ suggestedRules = [] }: InputAsk): string {
  // A rule can contain text of a command, and thus of the agent.
  const rules = suggestedRules.map((rule) => quoteCode(rule, Number.POSITIVE_INFINITY));
  // Claude Code applies a rule for Read to commands and searches, too.
  const reads = suggestedRules.some((rule) => rule.startsWith('Read(')) ? ', by any tool that reads' : '';
  const more = rules.length === 0 ? '' : ` and every call that matches ${rules.join(', ')}${reads}`;
  return `this exact call${more}, until the session ends`;
}

/**
 * A caller can give the name of its server to another one, the same command does something else in another folder, and a
 * link can change, so these are parts of the call.
 */
function keyOf({ toolName, input, server, folder, leadsTo }: InputAsk): string {
  const circumstances = [server && { ...server }, folder, leadsTo].filter((part) => part !== undefined);
  return canonicalHash([toolName, input, ...circumstances]);
}
