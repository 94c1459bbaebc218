import type { BackendHost, BackendSignal, ProcessExit } from '../../src/core/claude/backend.js';
import type { GateDecision } from '../../src/core/claude/gate.js';
import type { InputAnswer, InputAsk } from '../../src/core/session/inputs.js';
import { deferred } from '../kit/deferred.js';

export type ResultSignal = Extract<BackendSignal, { type: 'result' }>;

export type RecordedAsk = {
  readonly ask: InputAsk;
  readonly signal: AbortSignal;
  readonly answer: (answer: InputAnswer) => void;
};

/** Only a hang reaches this limit. The error then lists the signals that arrived. */
const LIMIT_MS = 15_000;

/** A host that records all signals of a backend, and answers when the test does. */
export class RecordingHost implements BackendHost {
  readonly signals: BackendSignal[] = [];
  /** The raw messages of Claude Code. */
  readonly messages: unknown[] = [];
  readonly asks: RecordedAsk[] = [];
  readonly exits: ProcessExit[] = [];
  /** The decision for every call. */
  gate: GateDecision = 'pass';
  #arrived = deferred();

  readonly onMessage = (message: unknown): void => {
    this.messages.push(message);
  };

  onSignal(signal: BackendSignal): void {
    this.signals.push(signal);
    this.#wake();
  }

  onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    const { promise, resolve } = deferred<InputAnswer>();
    this.asks.push({ ask, signal, answer: resolve });
    signal.addEventListener('abort', () => this.#wake());
    this.#wake();
    return promise;
  }

  judge(): GateDecision {
    return this.gate;
  }

  onExit(exit: ProcessExit): void {
    this.exits.push(exit);
    this.#wake();
  }

  /** Waits until `look` returns a value, and tries again after each signal. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    const late = deferred<'late'>();
    const timer = setTimeout(() => late.resolve('late'), LIMIT_MS);
    try {
      for (;;) {
        const found = look();
        if (found !== undefined && found !== false) return found;
        if ((await Promise.race([this.#arrived.promise, late.promise])) === 'late') break;
      }
    } finally {
      clearTimeout(timer);
    }
    const { signals, asks, exits } = this;
    throw new Error(
      `The backend never reported: ${what}\n${JSON.stringify({ signals, asks, exits }, undefined, 1)}`,
    );
  }

  result(promptUuid: string): Promise<ResultSignal> {
    return this.until(`the result of ${promptUuid}`, () =>
      this.signals.find(
        (signal): signal is ResultSignal =>
          signal.type === 'result' && signal.promptUuids.includes(promptUuid),
      ),
    );
  }

  exit(): Promise<ProcessExit> {
    return this.until('the exit', () => this.exits[0]);
  }

  #wake(): void {
    this.#arrived.resolve();
    this.#arrived = deferred();
  }
}
