/** What one turn adds to a figure that Claude Code only tells as the sum of all turns. */
export class RunningSum {
  /** Undefined while unknown: a resumed or forked conversation begins with the sum of its past. */
  #sum: number | undefined;

  constructor(isNewConversation: boolean) {
    if (isNewConversation) this.#sum = 0;
  }

  /** The part of this turn, or undefined when it cannot be told from the past. */
  advance(sum: number | undefined): number | undefined {
    const before = this.#sum;
    this.#sum = sum ?? before;
    if (before === undefined || sum === undefined) return undefined;
    // /clear begins to count anew.
    return sum < before ? sum : sum - before;
  }
}
