/** A tool call that Claude Code is about to make, before any of its own rules apply. */
export interface ToolCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where relative paths start: a command can move the session. Undefined if the backend does not know. */
  readonly cwd?: string | undefined;
  /** The current mode: the model can enter plan mode by itself. */
  readonly permissionMode: string;
}

/** `pass` defers to Claude Code's own rules; `ask` sends the call to the broker regardless of them. */
export type GateDecision =
  | 'pass'
  | {
      readonly ask: string;
      /** Whether an earlier approval for the session can answer it. */
      readonly isGrantable: boolean;
    };
