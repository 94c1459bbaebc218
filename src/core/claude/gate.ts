/** A tool call that Claude Code is about to make, before any of its own rules has been asked. */
export interface ToolCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where the path in the input leads, links followed; undefined when it has none, or it is unknown. */
  readonly realTarget?: string | undefined;
  /** The mode at this moment: the model can enter plan mode by itself. */
  readonly permissionMode: string;
}

/** `pass` leaves it to Claude Code's own rules; `ask` puts it before the broker whatever they say. */
export type GateDecision =
  | 'pass'
  | {
      readonly ask: string;
      /** Whether what a person has allowed for the session answers it. */
      readonly isGrantable: boolean;
    };
