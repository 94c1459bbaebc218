import type { AnswerPart } from '../../core/claude/backend.js';
import { isAgentTool } from '../../core/claude/claude-tools.js';
import type { EventBody } from '../../core/session/events.js';
import { pricesOf } from './prices.js';

/** An upper bound for the tokens per character of a text. */
const tokensPerChar = 0.5;

/** Upper bounds for a model call whose response has not arrived: tokens added to the context, and tokens generated. */
const unseen = { addedTokens: 20_000, outputTokens: 4_000 } as const;

/** The context of a first call: Claude Code's own instructions, or a conversation that is resumed. */
const firstContext = { new: 10_000, resumed: 100_000 } as const;

/** The estimated cost of model responses that Claude Code has not priced yet. */
export class UnreportedCost {
  #earlierUsd = 0;
  /** Claude Code reports a response several times, each time with a part of its content. */
  #latest: AnswerPart | undefined;
  #model: string | undefined;
  #contextTokens: number;
  /** Tools that Claude itself has called and that have not answered yet. The model waits for them. */
  readonly #tools = new Set<string>();

  constructor({ isResumed, model }: { readonly isResumed: boolean; readonly model: string | undefined }) {
    this.#contextTokens = isResumed ? firstContext.resumed : firstContext.new;
    this.#model = model;
  }

  /** Returns true for the first part of a response. */
  note(part: AnswerPart): boolean {
    if (this.#latest?.id === part.id) {
      this.#latest = { ...part, chars: this.#latest.chars + part.chars };
      return false;
    }
    this.#earlierUsd = this.usd;
    this.#latest = part;
    if (part.agent === undefined) this.#contextTokens = contextOf(part);
    this.#model = part.model ?? this.#model;
    return true;
  }

  get usd(): number {
    return this.#earlierUsd + (this.#latest === undefined ? 0 : priceOf(this.#latest));
  }

  /** Notes that a tool begins or ends. Returns true if the model may have begun or stopped to work. */
  noteEvent(event: EventBody): boolean {
    if ((event.type !== 'tool_use' && event.type !== 'tool_result') || event.agent !== undefined)
      return false;
    const wasWaiting = this.#tools.size > 0;
    if (event.type === 'tool_result') this.#tools.delete(event.toolUseId);
    // A subagent calls the model itself.
    else if (!isAgentTool(event.toolName)) this.#tools.add(event.toolUseId);
    return wasWaiting !== this.#tools.size > 0;
  }

  noteModel(model: string | undefined): void {
    this.#model = model ?? this.#model;
  }

  /** Includes a model call that may be in flight. The API charges for it even if the process is stopped. */
  get highestUsd(): number {
    return this.#tools.size > 0 ? this.usd : this.afterKillUsd;
  }

  /** The same if this server is killed: a tool may end, and Claude Code may call the model again, before it is ended. */
  get afterKillUsd(): number {
    const prices = pricesOf(this.#model);
    const perMillion =
      this.#contextTokens * prices.cacheRead +
      unseen.addedTokens * prices.cacheWrite +
      unseen.outputTokens * prices.output;
    return this.usd + perMillion / 1_000_000;
  }

  clear(): void {
    this.#earlierUsd = 0;
    this.#latest = undefined;
    this.#tools.clear();
  }
}

/** Called for every message, so without a loop over the table. */
function priceOf({ usage, chars, model }: AnswerPart): number {
  const prices = pricesOf(model);
  // The reported output count is often outdated: it predates the text.
  const outputTokens = Math.max(count(usage['output_tokens']), chars * tokensPerChar);
  const perMillion =
    count(usage['input_tokens']) * prices.input +
    count(usage['cache_creation_input_tokens']) * prices.cacheWrite +
    count(usage['cache_read_input_tokens']) * prices.cacheRead +
    outputTokens * prices.output;
  return perMillion / 1_000_000;
}

function contextOf({ usage }: AnswerPart): number {
  return (
    count(usage['input_tokens']) +
    count(usage['cache_creation_input_tokens']) +
    count(usage['cache_read_input_tokens'])
  );
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
