import { asList, isObject } from '../../core/json.js';

/** Why a process without the gate is ended. */
export const withoutGate =
  'Claude Code was stopped because it does not call the hooks of this server, which judge its tool calls (remove `--bare` from its command and CLAUDE_CODE_SIMPLE from managed settings)';

/**
 * Shows that Claude Code runs the hooks of this server, of which the gate is one. It calls a hook before it works on a
 * prompt, but in some modes it accepts hooks and never calls them.
 */
export class GateProof {
  readonly #hasLocalCommands: boolean;
  #isGiven = false;

  /** Slash commands can begin a turn that needs no model and calls no hook. */
  constructor({ slashCommands = false }: { readonly slashCommands?: boolean | undefined }) {
    this.#hasLocalCommands = slashCommands;
  }

  /** A hook was called. */
  give(): void {
    this.#isGiven = true;
  }

  /** Whether this message shows that Claude Code works although it has called no hook. */
  isMissing(message: unknown): boolean {
    if (this.#isGiven || !isObject(message)) return false;
    if (message['type'] === 'system' && message['subtype'] === 'init') return !this.#hasLocalCommands;
    return callsTool(message);
  }
}

function callsTool({ type, message, event }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'assistant' && isObject(message)) return asList(message['content']).some(isToolCall);
  return type === 'stream_event' && isObject(event) && isToolCall(event['content_block']);
}

function isToolCall(block: unknown): boolean {
  return isObject(block) && block['type'] === 'tool_use';
}
