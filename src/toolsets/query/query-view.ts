import { sentence } from '../../core/errors.js';
import { cutMiddle } from '../../core/text/escape.js';
import { ApproverText, type View } from '../../core/view.js';
import type { Failure } from './failure.js';
import { withoutOldest } from './kept-messages.js';
import type { QueryEnd, QueryRun } from './query-run.js';
import { shorten, type ShownMessage, type Shortness } from './shorten.js';

/** Messages are truncated before any is dropped. Then the oldest are dropped first. */
const steps: readonly (Shortness & { readonly summaryChars: number })[] = [
  { textChars: 4_000, listItems: 200, summaryChars: 4_000 },
  { textChars: 1_000, listItems: 40, summaryChars: 3_000 },
  { textChars: 600, listItems: 20, summaryChars: 2_000, isBare: true },
  { textChars: 300, listItems: 10, summaryChars: 1_500, isBare: true },
  { textChars: 120, listItems: 5, summaryChars: 1_000, isBare: true },
  { textChars: 60, listItems: 3, summaryChars: 500, isBare: true },
];
const shortest = { textChars: 60, listItems: 3, summaryChars: 200, isBare: true } as const;

/** The answer to a query: the result, then as many messages as fit. */
export function queryView(run: QueryRun, end: QueryEnd, pageHint: string): View {
  // Taken now: the run forgets its messages when it has been answered.
  const { all, total } = run.messages;
  const show = (messages: readonly ShownMessage[], summaryChars: number): object => {
    const shortened = messages.filter(({ isShortened }) => isShortened).length;
    const dropped = total - messages.length;
    const isAll = shortened === 0 && dropped === 0;
    return {
      sessionId: run.session.id,
      result: verdict(end, summaryChars),
      // By these, the caller decides what to allow in its next query.
      denied:
        run.denied.length === 0
          ? undefined
          : new ApproverText(run.denied.slice(0, 5).map((line) => cutMiddle(line, 200))),
      executionTime: end.executionTime,
      usage: numbersOf(end.result?.usage),
      truncation: {
        total,
        returned: messages.length,
        shortened,
        dropped,
        next: isAll ? undefined : pageHint,
      },
      messages: messages.map(({ message }) => message),
    };
  };
  return {
    *[Symbol.iterator]() {
      for (const step of steps) yield show(shortenAll(all, step), step.summaryChars);
      let messages = shortenAll(all, shortest);
      yield show(messages, shortest.summaryChars);
      while (messages.length > 1) {
        messages = withoutOldest(messages);
        yield show(messages, shortest.summaryChars);
      }
      // A single message with many small parts can still be too long.
      yield show([], shortest.summaryChars);
    },
  };
}

function shortenAll(messages: readonly ShownMessage[], step: Shortness): ShownMessage[] {
  return messages.map(({ message, isShortened }) => {
    const shown = shorten(message, step);
    return { ...shown, isShortened: shown.isShortened || isShortened };
  });
}

function verdict({ result, failure }: QueryEnd, summaryChars: number): Record<string, unknown> {
  const summary = cutMiddle(result?.result ?? failure?.message ?? '', summaryChars);
  if (failure === undefined) return { success: true, summary };
  return {
    success: false,
    summary,
    error: cutMiddle(inWords(failure), Math.max(summaryChars, 300)),
    timedOut: failure.error === 'time_limit' ? true : undefined,
  };
}

function inWords({ error, message, nextStep }: Failure): string {
  return `${error}: ${sentence(message)}${nextStep === undefined ? '' : ` ${nextStep}`}`;
}

/** Token counts only. The other fields describe how the API served the request. */
function numbersOf(usage: unknown): Record<string, number> | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'));
}
