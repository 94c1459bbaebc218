import type { ToolCall } from '../../core/claude/gate.js';

/** A path that a call names. */
export interface Target {
  /** The absolute path as it is named. */
  readonly named: string;
  /** The same path without links. */
  readonly real: string;
}

/** A tool call, and every path that it could read or write. */
export interface JudgedCall extends ToolCall {
  /** The path of a file tool, or every word of a command that could be a path. */
  readonly targets: readonly Target[];
}
