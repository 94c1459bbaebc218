import type { InputAsk } from '../core/session/inputs.js';
import { quoteCode } from './quote.js';

/** The description of a grant is short, and is never truncated. */
const maxGrantChars = 280;

/** Whether the description of the grant shows all rules in full: people cannot grant what they cannot read. */
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
