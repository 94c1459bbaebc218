/** The JSON that our tools return, as far as tests read it. Omitted fields are undefined. */
export interface AnswerJson {
  readonly sessionId: string;
  readonly status: string;
  readonly title?: string;
  readonly activity?: string;
  readonly cursor: number | string;
  readonly waitLimitMs?: number;
  readonly actions?: readonly ActionJson[];
  readonly result?: ResultJson;
  readonly sessions?: readonly AnswerJson[];
  readonly events?: readonly EventJson[];
  readonly droppedEvents?: number;
  readonly droppedPrompts?: number;
  readonly queuedPrompts?: number;
  readonly keptPrompts?: readonly string[];
  readonly projectSettings?: string;
  readonly availableTools?: readonly { readonly name: string; readonly category: string }[];
  readonly tasks?: readonly string[];
  readonly outcome?: string;
  readonly turn?: number;
  readonly totalCostUsd?: number;
  readonly text?: string;
  readonly offset?: number;
  readonly nextOffset?: number;
  readonly totalChars?: number;
  readonly message?: string;
  readonly ownerPid?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ActionJson {
  readonly requestId: string;
  readonly type: string;
  readonly toolName: string;
  readonly summary: string;
  readonly input: unknown;
  readonly inputChars?: number;
  readonly accepts: readonly string[];
  readonly expiresAt?: string;
}

export interface ResultJson {
  readonly result: string;
  readonly resultChars?: number;
  readonly isError: boolean;
  readonly outcome: string;
  readonly turn: number;
  readonly numTurns: number;
  readonly totalCostUsd: number;
  readonly sessionTotalTurns: number;
  readonly sessionTotalCostUsd: number;
  readonly errorSubtype?: string;
  readonly nextStep?: string;
  readonly permissionDenials?: readonly string[];
  readonly usage?: unknown;
}

export interface EventJson {
  readonly seq: number;
  readonly type: string;
  readonly text?: string;
  readonly answeredBy?: string;
}
