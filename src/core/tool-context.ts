/** Port: what a tool knows of the request it serves, whatever the transport. */
export interface ToolContext {
  /** Aborts when the caller cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Sends a readable line to the caller; does nothing when the request carries no progress token. */
  readonly progress: ((message: string) => void) | undefined;
}
