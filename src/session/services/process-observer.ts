import type { BackendSignal, Launch } from '../../core/claude/backend.js';
import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';

/** Watches one process without influencing it. */
export interface ProcessObserver {
  onSignal?(signal: BackendSignal): void;
  /** A request of the process has been answered. */
  onAnswer?(ask: InputAsk, answer: InputAnswer): void;
  onExit?(): void;
}

/** Called for every process that is about to start. */
export type ObserveProcess = (launch: Launch) => ProcessObserver;
