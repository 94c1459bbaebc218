import type { ParamsOf } from '../../core/reasons/index.js';
import { quoteWords } from '../../inputs/quote.js';

const decisions: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied' };

/** Who was first, for a person whose answer came too late. */
export function settledInWords({
  decision,
  answeredBy,
  device,
}: Pick<ParamsOf<'request_settled'>, 'decision' | 'answeredBy' | 'device'>): string {
  const was = decisions[decision];
  switch (answeredBy) {
    case 'page':
      return `A person has already ${was} this on ${quoteWords(device ?? 'another device', 60)}.`;
    case 'elicitation':
      return `A person has already ${was} this in a form of their client.`;
    case 'caller':
      return `The client of this session has already ${was} it.`;
    case 'rule':
      return `This was ${was} by a rule.`;
    case 'timeout':
      return 'This request expired before anyone answered it, so it was denied.';
    case 'interrupt':
      return 'The session was interrupted, which ended this request.';
    case 'cancel':
      return 'The session was cancelled, which ended this request.';
    case 'shutdown':
      return 'The server shut down, which ended this request.';
    default:
      return 'Claude Code no longer asks for this.';
  }
}
