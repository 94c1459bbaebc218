/** Counts what the server executes instead of timing it, so that a busy machine does not change the result. */
import { Session } from 'node:inspector/promises';

const SOURCES = new URL('../../src/', import.meta.url).pathname;

/**
 * Must be created before the code that it counts is loaded, in a process with `--no-opt`: optimized code does not count
 * the functions that it has inlined.
 */
export class WorkCounter {
  readonly #session = new Session();

  private constructor() {
    this.#session.connect();
  }

  static async start(): Promise<WorkCounter> {
    const counter = new WorkCounter();
    await counter.#session.post('Profiler.enable');
    await counter.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return counter;
  }

  /** How many functions, loop bodies and branches of the server run during `action`. */
  async count(action: () => Promise<unknown>): Promise<number> {
    await this.#take();
    await action();
    return this.#take();
  }

  /** What ran since the last call. */
  async #take(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.includes(SOURCES))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }
}
