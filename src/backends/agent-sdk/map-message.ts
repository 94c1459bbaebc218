import type { BackendSignal } from '../../core/backend.js';
import type { EventBody } from '../../core/events.js';
import { cutMiddle } from '../../core/escape.js';
import { summarizeToolUse } from '../../core/tool-summary.js';
import { isRecord, list, text, type Json } from './json.js';
import { ResultMapper } from './map-result.js';
import { mapSystemMessage } from './map-system.js';

const maxTextChars = 16_000;
const maxToolResultChars = 2_000;

/** Of no use to a caller, and known to be so; everything unknown becomes a `raw` event instead. */
const internalTypes = new Set([
  'stream_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'prompt_suggestion',
  'rate_limit_event',
  'command_lifecycle',
  'keep_alive',
]);

/** Turns the messages of one process into signals. Holds only what joins one message to a later one. */
export class MessageMapper {
  readonly #results: ResultMapper;

  constructor(conversation: { readonly isNewConversation: boolean }) {
    this.#results = new ResultMapper(conversation);
  }

  map(message: unknown): readonly BackendSignal[] {
    if (!isRecord(message)) return [];
    const type = text(message['type']) ?? 'unknown';
    switch (type) {
      case 'assistant':
        this.#results.noteAssistantError(text(message['error']));
        return withUuid(message, assistantEvents(message));
      case 'user':
        return withUuid(message, toolResultEvents(message));
      case 'result':
        return [this.#results.map(message)];
      case 'system':
        return mapSystemMessage(message);
      case 'conversation_reset':
        // Its new_conversation_id is not the new session id: only the next init tells that.
        return [event({ type: 'status', text: 'Claude Code began a new conversation in this session' })];
      default:
        return internalTypes.has(type) ? [] : [event({ type: 'raw', messageType: type })];
    }
  }
}

function assistantEvents(message: Json): BackendSignal[] {
  const agent = agentOf(message);
  return blocksOf(message).flatMap((block): BackendSignal[] => {
    switch (block['type']) {
      case 'text':
        return textEvent('text', block['text'], agent);
      case 'thinking':
        return textEvent('thinking', block['thinking'], agent);
      case 'tool_use':
        return [event({ type: 'tool_use', ...toolUse(block), ...agent })];
      default:
        return [];
    }
  });
}

function textEvent(type: 'text' | 'thinking', value: unknown, agent: { agent?: string }): BackendSignal[] {
  const content = text(value)?.trim() ?? '';
  return content === '' ? [] : [event({ type, text: cutMiddle(content, maxTextChars), ...agent })];
}

function toolUse(block: Json): { toolUseId: string; toolName: string; summary: string } {
  const toolName = text(block['name']) ?? 'unknown';
  const input = isRecord(block['input']) ? block['input'] : {};
  return { toolUseId: text(block['id']) ?? '', toolName, summary: summarizeToolUse(toolName, input) };
}

function toolResultEvents(message: Json): BackendSignal[] {
  const agent = agentOf(message);
  return blocksOf(message)
    .filter((block) => block['type'] === 'tool_result')
    .map((block) =>
      event({
        type: 'tool_result',
        toolUseId: text(block['tool_use_id']) ?? '',
        isError: block['is_error'] === true,
        text: cutMiddle(resultText(block['content']), maxToolResultChars),
        ...agent,
      }),
    );
}

/** The big text stays on disk, in Claude's transcript. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => (isRecord(part) ? (text(part['text']) ?? `[${text(part['type']) ?? 'data'}]`) : ''))
    .join('\n');
}

function withUuid(message: Json, signals: BackendSignal[]): BackendSignal[] {
  const uuid = text(message['uuid']);
  return uuid === undefined ? signals : [{ type: 'message_seen', uuid }, ...signals];
}

function blocksOf(message: Json): Json[] {
  const inner = message['message'];
  return isRecord(inner) ? list(inner['content']).filter(isRecord) : [];
}

function agentOf(message: Json): { agent?: string } {
  const parent = text(message['parent_tool_use_id']);
  return parent === undefined ? {} : { agent: parent };
}

function event(body: EventBody): BackendSignal {
  return { type: 'event', event: body };
}
