import type { SessionEvent } from '../core/events.js';
import { firstLine } from '../core/escape.js';

/** What Claude is doing right now, in one line: "Bash: npm test, 42 s". */
export class Activity {
  readonly #openTools = new Map<string, { readonly summary: string; readonly since: number }>();
  #line: string | undefined;

  note(event: SessionEvent): void {
    switch (event.type) {
      case 'tool_use':
        this.#openTools.set(event.toolUseId, { summary: firstLine(event.summary, 80), since: event.at });
        return;
      case 'tool_result':
        this.#openTools.delete(event.toolUseId);
        this.#line = undefined;
        return;
      case 'thinking':
        this.#line = 'thinking';
        return;
      case 'text':
        this.#line = `says: ${firstLine(event.text, 80)}`;
        return;
      case 'status':
        this.#line = firstLine(event.text, 100);
        return;
      case 'result':
      case 'error':
        this.#openTools.clear();
        this.#line = undefined;
        return;
      default:
        return;
    }
  }

  line(now: number): string | undefined {
    const [tool] = this.#openTools.values();
    if (tool === undefined) return this.#line;
    const more = this.#openTools.size > 1 ? ` (+${this.#openTools.size - 1} more)` : '';
    return `${tool.summary}, ${Math.round((now - tool.since) / 1000)} s${more}`;
  }
}
