import { sentence } from '../../core/errors.js';
import type { TurnResult } from '../../core/session/turn-result.js';
import { cutMiddle } from '../../core/text/escape.js';
import { largestFitting, shrinking, type View } from '../../core/view.js';
import { notSavedField } from '../shared/restart-fields.js';
import { seenChars } from '../shared/text-page.js';
import { trustHint } from '../shared/wording/hints.js';
import type { Vocabulary } from '../shared/wording/vocabulary.js';
import { deniedField } from './denied.js';
import type { Failure } from './failure.js';
import { latest } from './kept-messages.js';
import type { QueryEnd, QueryRun } from './query-run.js';
import { shorten, type ShownMessage, type Shortness } from './shorten.js';

const shortest: Shortness = { textChars: 60, listItems: 3, isBare: true };
/** Messages are truncated before any is dropped. Then the oldest are dropped first. */
const steps: readonly Shortness[] = [
  { textChars: 4_000, listItems: 200 },
  { textChars: 1_000, listItems: 40 },
  { textChars: 600, listItems: 20, isBare: true },
  { textChars: 300, listItems: 10, isBare: true },
  { textChars: 120, listItems: 5, isBare: true },
  shortest,
];

/** A result that does not fit as a whole must be paged anyway, so it leaves room for messages. */
const cutChars = 4_000;

/** The answer to a query: the result first, then as many messages as fit beside it. */
export function queryView(run: QueryRun, end: QueryEnd, words: Vocabulary): View {
  // Taken now: the run forgets its messages when it has been answered.
  const { all, total } = run.messages;
  const { id } = run.session;
  const show = answerOf(run, end, total, words);
  const resultFor = (room: number): Verdict =>
    verdict(end, room, (offset) => words.read.result?.(id, offset));
  return (fits) => {
    const short = shortenAll(all, shortest);
    const beside = (result: Verdict): QueryAnswer => show(latest(short, 1), result);
    const whole = beside(resultFor(Number.POSITIVE_INFINITY));
    const { result } = fits(whole)
      ? whole
      : shrinking((room) => beside(resultFor(Math.min(room, cutChars))))(fits);
    for (const step of steps) {
      const answer = show(shortenAll(all, step), result);
      if (fits(answer)) return answer;
    }
    // A single message with many small parts can be too long by itself.
    return (
      largestFitting((count) => show(latest(short, count), result), fits, short.length) ?? show([], result)
    );
  };
}

type Show = (messages: readonly ShownMessage[], result: Verdict) => QueryAnswer;

/** `total` counts all messages, also those that are not shown. */
function answerOf(
  { session, denied, timeoutLimitMs }: QueryRun,
  { executionTime, result: reported }: QueryEnd,
  total: number,
  words: Vocabulary,
): Show {
  const readAll = words.read.messages?.(session.id);
  return (messages, result) => {
    const shortened = messages.filter(({ isShortened }) => isShortened).length;
    const dropped = total - messages.length;
    const isAll = shortened === 0 && dropped === 0;
    return {
      sessionId: session.id,
      result,
      denied: deniedField(denied),
      timeoutLimitMs,
      ...notSavedField(session.view),
      projectSettings: trustHint(session.view.options, words),
      executionTime,
      usage: reported?.usage,
      truncation: {
        total,
        returned: messages.length,
        shortened,
        dropped,
        next: isAll ? undefined : readAll,
      },
      messages: messages.map(({ message }) => message),
    };
  };
}

interface QueryAnswer {
  readonly [key: string]: unknown;
  readonly result: Verdict;
}

interface Verdict {
  readonly success: boolean;
  readonly summary: string;
  readonly startedBy?: TurnResult['startedBy'];
  /** The call that reads the rest of the summary. */
  readonly readMore?: string | undefined;
  readonly error?: string;
  readonly timedOut?: true | undefined;
}

function shortenAll(messages: readonly ShownMessage[], step: Shortness): ShownMessage[] {
  return messages.map(({ message, isShortened }) => {
    const shown = shorten(message, step);
    return { ...shown, isShortened: shown.isShortened || isShortened };
  });
}

function verdict(
  { result, failure }: QueryEnd,
  room: number,
  readFrom: (offset: number) => string | undefined,
): Verdict {
  // Claude may have finished its answer before the query was stopped.
  const isOwn = failure === undefined || result?.outcome === 'completed';
  const whole = (isOwn ? result?.result : failure.message) ?? '';
  const summary = cutMiddle(whole, failure === undefined ? room : room / 2);
  const readMore = summary === whole ? undefined : readFrom(isOwn ? seenChars(whole, summary) : 0);
  if (failure === undefined) return { success: true, summary, startedBy: result?.startedBy, readMore };
  return {
    success: false,
    summary,
    readMore,
    error: cutMiddle(inWords(failure), Math.max(300, room / 2)),
    timedOut: failure.error === 'time_limit' ? true : undefined,
  };
}

function inWords({ error, message, nextStep }: Failure): string {
  return `${error}: ${sentence(message)}${nextStep === undefined ? '' : ` ${nextStep}`}`;
}
