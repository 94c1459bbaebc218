import type { SessionEvent } from '../../core/session/events.js';

/** As many as a caller may want to read. The event log has the rest. */
const maxFiles = 200;

/** The files that Claude has changed with its tools since the last result. Changes by commands are not known. */
export class ChangedFiles {
  /** Calls that have not ended yet. */
  readonly #open = new Map<string, string>();
  readonly #files = new Set<string>();

  note(event: SessionEvent): void {
    if (event.type === 'tool_use' || event.type === 'input_resolved') {
      const { toolUseId, file } = event;
      if (toolUseId !== undefined && file !== undefined) this.#begin(toolUseId, file);
    } else if (event.type === 'tool_result') {
      const file = this.#open.get(event.toolUseId);
      if (file === undefined) return;
      this.#open.delete(event.toolUseId);
      if (!event.isError && this.#files.size < maxFiles) this.#files.add(file);
    }
  }

  /** Returns the files and begins a new list. A call of a background subagent may end after the turn. */
  take(): readonly string[] {
    const files = [...this.#files];
    this.#files.clear();
    return files;
  }

  /** An interrupted call may never end, so only the latest calls are remembered. */
  #begin(toolUseId: string, file: string): void {
    this.#open.set(toolUseId, file);
    if (this.#open.size <= maxFiles) return;
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest);
      return;
    }
  }
}
