/** A tool call that Claude Code is about to make, before any of its own rules apply. */
export interface ToolCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The real path of the input's path, links resolved; undefined if the input has no path or it is unknown. */
  readonly realTarget?: string | undefined;
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
