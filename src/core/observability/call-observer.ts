import type { ToolCallEntry } from './audit.js';

/** A finished tool call. */
export interface EndedCall extends Omit<ToolCallEntry, 'what'> {
  /** The tool is read-only. */
  readonly isRead: boolean;
}

/** Port: notified after each tool call. Must not throw. */
export interface CallObserver {
  onCallEnded(call: EndedCall): void;
}
