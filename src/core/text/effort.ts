/** The work that may be spent on what an agent or a repository has written: either can write what would take hours. */
export class Effort {
  #left: number;

  constructor(mostSteps: number) {
    this.#left = mostSteps;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}
