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
  /** Whether a command has more words than these, or where one of them leads cannot be found out. */
  readonly hasMoreTargets?: boolean;
  /** Only for a command. */
  readonly command?: JudgedCommand | undefined;
  /** Whether the definition of a subagent asks for a git worktree; undefined if it does not. */
  readonly isolation?: 'worktree' | 'unknown' | undefined;
}

/** What a command does, as far as its words show. */
export interface JudgedCommand {
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReadOnly: boolean;
  /** Files that auto-allowed programs read; undefined if unknown. */
  readonly reads: readonly Target[] | undefined;
  /** Every path that its programs could change; undefined if there are too many. */
  readonly edits: readonly Target[] | undefined;
  /** Every path that its programs could move a file from, or to; undefined if there are too many. */
  readonly moves: readonly Target[] | undefined;
  /** Where links lead that the patterns in its words stand for: `cat l?nk/a`. Undefined if there are too many. */
  readonly matches: readonly Target[] | undefined;
}
