import { asList, isObject } from '../../core/json.js';

/** Why a process without the gate is ended. */
export const withoutGate =
  'Claude Code was stopped because it does not call the hooks of this server, which judge its tool calls (remove `--bare` from its command and CLAUDE_CODE_SIMPLE from managed settings)';

/**
 * Shows that Claude Code runs the hooks of this server, of which the gate is one. It calls a hook before it works on a
 * prompt, but in some modes it accepts hooks and never calls them.
 */
export class GateProof {
  /** Whether the start of a turn shows nothing. */
  #countsCallsOnly: boolean;
  #isGiven = false;
  /** Whether the next turn may be one that Claude Code begins itself, for which it calls no hook. */
  #isBeforePrompt: boolean;

  /**
   * Slash commands can begin a turn that needs no model and calls no hook. A conversation that is continued can begin
   * with the news that background tasks of an earlier process have ended.
   */
  constructor(
    { slashCommands = false }: { readonly slashCommands?: boolean | undefined },
    { isNew = true }: { readonly isNew?: boolean } = {},
  ) {
    this.#countsCallsOnly = slashCommands;
    this.#isBeforePrompt = !isNew;
  }

  /** A hook was called. */
  give(): void {
    this.#isGiven = true;
  }

  /** The process is being ended: an interrupt can cut off a turn before a hook is called. */
  expectInterrupt(): void {
    this.#countsCallsOnly = true;
  }

  /** Whether this message shows that Claude Code works although it has called no hook. */
  isMissing(message: unknown): boolean {
    if (this.#isGiven || !isObject(message)) return false;
    if (isPromptStart(message)) this.#isBeforePrompt = false;
    return callsTool(message) || (isTurnStart(message) && !this.#countsCallsOnly && !this.#isBeforePrompt);
  }
}

/** Claude Code says it once per turn, when it has called the hooks for the prompt. */
export function isTurnStart(message: unknown): boolean {
  return isObject(message) && message['type'] === 'system' && message['subtype'] === 'init';
}

/** Claude Code says it for each prompt of the host, before it calls the hooks. */
function isPromptStart({ type, state }: Readonly<Record<string, unknown>>): boolean {
  return type === 'command_lifecycle' && state === 'started';
}

function callsTool({ type, message, event }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'assistant' && isObject(message)) return asList(message['content']).some(isToolCall);
  return type === 'stream_event' && isObject(event) && isToolCall(event['content_block']);
}

function isToolCall(block: unknown): boolean {
  return isObject(block) && block['type'] === 'tool_use';
}
