import { canonicalHash } from '../core/canonical-hash.js';
import type { InputAsk } from '../core/session/inputs.js';

/** Grants in the session record. Calls are stored as hashes, because inputs may be confidential. */
export interface GrantRecord {
  readonly calls: string[];
  readonly rules: string[];
  /** The subsets that a person allowed: where only people may approve, only these count. */
  readonly callsByPerson?: string[] | undefined;
  readonly rulesByPerson?: string[] | undefined;
}

/** Who gave the grant. */
export type Granter = 'person' | 'caller';

/** Whether the approval of this granter counts today. */
export type Counts = (by: Granter) => boolean;

/** A process gets at most 120,000 bytes of rules. Of more, the record would only become long. */
const maxRuleChars = 200_000;

/** Calls and rules that an approver allowed for the rest of a session. */
export class Grants {
  readonly #calls: Map<string, Granter>;
  readonly #rules: Map<string, Granter>;

  constructor({ calls, rules, callsByPerson, rulesByPerson }: GrantRecord = { calls: [], rules: [] }) {
    this.#calls = granted(calls, callsByPerson);
    this.#rules = granted(rules, rulesByPerson);
  }

  add(ask: InputAsk, by: Granter): void {
    note(this.#calls, keyOf(ask), by);
    this.addRules(ask.suggestedRules ?? [], by);
  }

  /** Covers only the same tool with the same input. */
  covers(ask: InputAsk, counts: Counts): boolean {
    const by = this.#calls.get(keyOf(ask));
    return ask.kind === 'permission' && by !== undefined && counts(by);
  }

  addRules(rules: readonly string[], by: Granter): void {
    for (const rule of rules) note(this.#rules, rule, by);
    let chars = [...this.#rules.keys()].join('').length;
    for (const rule of this.#rules.keys()) {
      if (chars <= maxRuleChars) return;
      chars -= rule.length;
      this.#rules.delete(rule);
    }
  }

  /** Rules for the next process. The live process received them when they were granted. */
  rules(counts: Counts): readonly string[] {
    return [...this.#rules].filter(([, by]) => counts(by)).map(([rule]) => rule);
  }

  toRecord(): GrantRecord {
    return {
      calls: [...this.#calls.keys()],
      rules: [...this.#rules.keys()],
      callsByPerson: byPerson(this.#calls),
      rulesByPerson: byPerson(this.#rules),
    };
  }
}

function granted(all: readonly string[], ofPerson: readonly string[] = []): Map<string, Granter> {
  return new Map(all.map((key) => [key, ofPerson.includes(key) ? 'person' : 'caller']));
}

/** Adds it as the newest. A caller that repeats a person's grant does not downgrade it. */
function note(grants: Map<string, Granter>, key: string, by: Granter): void {
  const known = grants.get(key);
  grants.delete(key);
  grants.set(key, known === 'person' ? known : by);
}

function byPerson(grants: ReadonlyMap<string, Granter>): string[] {
  return [...grants].filter(([, by]) => by === 'person').map(([key]) => key);
}

/**
 * A caller can give the name of its server to another one, the same command does something else in another folder, and a
 * link can change, so these are parts of the call.
 */
function keyOf({ toolName, input, server, folder, leadsTo }: InputAsk): string {
  const circumstances = [server && { ...server }, folder, leadsTo].filter((part) => part !== undefined);
  return canonicalHash([toolName, input, ...circumstances]);
}
