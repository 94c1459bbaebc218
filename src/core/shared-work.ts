/** Runs work with at most `atOnce` pieces in progress, counted over all callers. */
export function limitTo(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/**
 * Answers all questions that wait when a run begins with this one run. A question that comes during a run waits for the
 * next, because the current one may have passed what it asks about.
 */
export function batched<Q, A>(run: (questions: ReadonlySet<Q>) => Promise<A>): (question: Q) => Promise<A> {
  let next: { readonly questions: Set<Q>; readonly answer: Promise<A> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    if (next === undefined) {
      const questions = new Set<Q>();
      const answer = last.then(() => {
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
