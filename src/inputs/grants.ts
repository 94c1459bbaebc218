import { createHash } from 'node:crypto';
import type { InputAsk } from '../core/inputs.js';

/** What is kept of grants beside the session: no inputs, only what they hash to. */
export interface GrantRecord {
  readonly calls: string[];
  readonly rules: string[];
}

/** What somebody has allowed for the rest of a session. */
export class Grants {
  readonly #calls: Set<string>;
  readonly #rules: Set<string>;

  constructor({ calls, rules }: GrantRecord = { calls: [], rules: [] }) {
    this.#calls = new Set(calls);
    this.#rules = new Set(rules);
  }

  /** Claude's rules, for the next process: the live one was told when they were granted. */
  get rules(): readonly string[] {
    return [...this.#rules];
  }

  add(ask: InputAsk): void {
    this.#calls.add(keyOf(ask));
    for (const rule of ask.suggestedRules ?? []) this.#rules.add(rule);
  }

  /** The same tool with the same input: nothing else is taken for it. */
  covers(ask: InputAsk): boolean {
    return ask.kind === 'permission' && this.#calls.has(keyOf(ask));
  }

  toRecord(): GrantRecord {
    return { calls: [...this.#calls], rules: [...this.#rules] };
  }
}

/** In words, before it is given. */
export function grantInWords({ suggestedRules = [] }: InputAsk): string {
  const more = suggestedRules.length === 0 ? '' : `, and whatever ${suggestedRules.join(', ')} covers`;
  return `allow_for_session: this same call again${more}, until the session ends`;
}

function keyOf({ toolName, input }: InputAsk): string {
  return createHash('sha256')
    .update(JSON.stringify([toolName, sorted(input)]))
    .digest('base64url');
}

/** The order of keys says nothing about a call. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
