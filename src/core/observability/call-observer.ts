import type { ToolCallEntry } from './audit.js';

/** A tool call that is over. */
export interface EndedCall extends Omit<ToolCallEntry, 'what'> {
  /** Whether the tool only looks. */
  readonly isRead: boolean;
}

/** Port: told of every tool call when it has been answered. Must not throw. */
export interface CallObserver {
  onCallEnded(call: EndedCall): void;
}
