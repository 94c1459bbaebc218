/** The share of one turn in a figure that Claude Code reports as the sum of all turns. */
export class RunningSum {
  /** Undefined until the first report of a resumed or forked conversation, whose sum includes its past. */
  #sum: number | undefined;

  constructor(isNewConversation: boolean) {
    if (isNewConversation) this.#sum = 0;
  }

  /** Undefined when the share of this turn cannot be separated from the past. */
  advance(sum: number | undefined): number | undefined {
    const before = this.#sum;
    this.#sum = sum ?? before;
    if (before === undefined || sum === undefined) return undefined;
    // /clear resets the sum.
    return sum < before ? sum : sum - before;
  }
}
