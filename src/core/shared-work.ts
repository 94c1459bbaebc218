import { setImmediate as otherWork } from 'node:timers/promises';

/**
 * Answers all questions that wait when a run begins with this one run, among them all that come in the same turn of the
 * event loop. A question that comes during a run waits for the next, because the current one may have passed what it
 * asks about.
 */
export function batched<Q, A>(run: (questions: ReadonlySet<Q>) => Promise<A>): (question: Q) => Promise<A> {
  let next: { readonly questions: Set<Q>; readonly answer: Promise<A> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    if (next === undefined) {
      const questions = new Set<Q>();
      const answer = last
        .then(() => otherWork())
        .then(() => {
          next = undefined;
          return run(questions);
        });
      last = answer.catch(() => undefined);
      next = { questions, answer };
    }
    next.questions.add(question);
    return next.answer;
  };
}
