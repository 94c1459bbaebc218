import { isAgentTool } from '../../core/claude/claude-tools.js';
import type { EventBody } from '../../core/session/events.js';

type ToolUse = Extract<EventBody, { type: 'tool_use' }>;

/**
 * Counts the model calls of a prompt against the operator's limit, including those of subagents. Claude Code's own
 * limit applies to each agent separately.
 */
export class ModelCalls {
  readonly #limit: number | undefined;
  /** The ids of responses, and of calls that start a subagent: its last response is not reported. */
  readonly #ids = new Set<string>();
  #hasSubagents = false;

  constructor(limit: number | undefined) {
    this.#limit = limit;
  }

  begin(): void {
    this.#ids.clear();
    this.#hasSubagents = false;
  }

  /** Notes a response. True if it exceeds the limit. */
  note(id: string): boolean {
    if (this.#limit === undefined) return false;
    return this.#ids.add(id).size > this.#limit;
  }

  /** Notes a tool call. True if the response to it would exceed the limit and Claude Code would not stop it. */
  noteTool({ toolName, toolUseId, agent }: ToolUse): boolean {
    if (this.#limit === undefined) return false;
    const isSubagent = isAgentTool(toolName);
    if (isSubagent) this.#ids.add(toolUseId);
    this.#hasSubagents ||= isSubagent || agent !== undefined;
    return this.#hasSubagents && this.#ids.size >= this.#limit;
  }
}
