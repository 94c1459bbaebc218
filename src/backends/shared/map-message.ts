import type { AnswerPart, BackendHost, BackendSignal, PromptState } from '../../core/claude/backend.js';
import { changedFile } from '../../core/claude/claude-tools.js';
import type { EventBody } from '../../core/session/events.js';
import { cutMiddle } from '../../core/text/escape.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { summarizeToolUse } from '../../core/text/tool-summary.js';
import { asList, asText, isObject, type JsonObject } from '../../core/json.js';
import { ResultMapper } from './map-result.js';
import { mapSystemMessage } from './map-system.js';

const maxTextChars = 16_000;
const maxToolResultChars = 2_000;

/** Known messages that are useless to callers. Unknown messages become `raw` events. */
const internalTypes = new Set([
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'prompt_suggestion',
  'rate_limit_event',
  'keep_alive',
]);

/**
 * Messages about the connection: parts of texts that follow in full, receipts for the lines that we write, and state
 * changes that we subscribed to.
 */
function isWire(type: string, { subtype }: JsonObject): boolean {
  return wireTypes.has(type) || (type === 'system' && subtype === 'session_state_changed');
}

const wireTypes = new Set(['stream_event', 'command_lifecycle', 'keep_alive']);

export interface MapperSettings {
  readonly isNewConversation: boolean;
  /** The mapper redacts before it truncates, because half a secret is no longer recognised. */
  readonly redactor: Redactor;
  readonly onMessage?: BackendHost['onMessage'] | undefined;
}

/**
 * Turns the messages of one process into signals. Its only state connects a message to a later one. Reads messages as
 * plain JSON, because the SDK's types lack some messages that arrive, and fields change between versions.
 */
export class MessageMapper {
  readonly #results: ResultMapper;
  readonly #redactor: Redactor;
  readonly #onMessage: BackendHost['onMessage'];

  constructor({ isNewConversation, redactor, onMessage }: MapperSettings) {
    this.#onMessage = onMessage;
    this.#results = new ResultMapper({ isNewConversation });
    this.#redactor = redactor;
  }

  map(message: unknown): readonly BackendSignal[] {
    if (!isObject(message)) return [];
    const type = asText(message['type']) ?? 'unknown';
    if (this.#onMessage !== undefined && !isWire(type, message)) this.#onMessage(message);
    switch (type) {
      case 'assistant':
        this.#results.noteAssistant(message);
        return assistantSignals(message, this.#redactor);
      case 'user':
        return toolResultSignals(message, this.#redactor);
      case 'result':
        return [this.#results.map(message)];
      case 'system':
        return mapSystemMessage(this.#redactor.redactValue(message));
      case 'stream_event':
        return writingSignals(message);
      case 'command_lifecycle':
        return promptSignals(message);
      case 'conversation_reset':
        // Its new_conversation_id is not the new session id, which arrives with the next init.
        return [event({ type: 'status', text: 'Claude Code began a new conversation in this session' })];
      default:
        return internalTypes.has(type) ? [] : [event({ type: 'raw', messageType: type })];
    }
  }
}

/** Deltas are not stored. They only show the current activity. */
function writingSignals({ event: inner, parent_tool_use_id: agent }: JsonObject): BackendSignal[] {
  const delta = isObject(inner) ? inner['delta'] : undefined;
  const words = isObject(delta) && delta['type'] === 'text_delta' ? asText(delta['text']) : undefined;
  return words === undefined || typeof agent === 'string' ? [] : [{ type: 'writing', text: words }];
}

const promptStates: ReadonlySet<unknown> = new Set<PromptState>(['queued', 'started', 'completed']);

function promptSignals({ command_uuid: uuid, state }: JsonObject): BackendSignal[] {
  if (typeof uuid !== 'string' || !promptStates.has(state)) return [];
  return [{ type: 'prompt', uuid, state: state as PromptState }];
}

function assistantSignals(message: JsonObject, redactor: Redactor): BackendSignal[] {
  const agent = asText(message['parent_tool_use_id']);
  const signals = seen(message, answerPart(message['message'], agent));
  for (const block of blocksOf(message)) {
    const body = assistantEvent(block, redactor);
    if (body !== undefined) signals.push(event(agent === undefined ? body : { ...body, agent }));
  }
  return signals;
}

type SpokenEvent = Extract<EventBody, { type: 'text' | 'thinking' | 'tool_use' }>;

function assistantEvent(block: JsonObject, redactor: Redactor): SpokenEvent | undefined {
  switch (block['type']) {
    case 'text':
      return textEvent('text', block['text'], redactor);
    case 'thinking':
      return textEvent('thinking', block['thinking'], redactor);
    case 'tool_use':
      return { type: 'tool_use', ...toolUse(block, redactor) };
    default:
      return undefined;
  }
}

function textEvent(type: 'text' | 'thinking', value: unknown, redactor: Redactor): SpokenEvent | undefined {
  const content = asText(value)?.trim() ?? '';
  if (content === '') return undefined;
  // Fast path, because there are thousands of these.
  return content.length <= maxTextChars
    ? { type, text: content }
    : { type, ...cut(content, maxTextChars, redactor) };
}

function toolUse(
  block: JsonObject,
  redactor: Redactor,
): { toolUseId: string; toolName: string; summary: string; file?: string } {
  const toolName = asText(block['name']) ?? 'unknown';
  const input = isObject(block['input']) ? redactor.redactValue(block['input']) : {};
  const use = { toolUseId: asText(block['id']) ?? '', toolName, summary: summarizeToolUse(toolName, input) };
  const file = changedFile(toolName, input);
  return file === undefined ? use : { ...use, file };
}

function toolResultSignals(message: JsonObject, redactor: Redactor): BackendSignal[] {
  const signals = seen(message);
  const agent = asText(message['parent_tool_use_id']);
  for (const block of blocksOf(message)) {
    if (block['type'] !== 'tool_result') continue;
    const toolUseId = asText(block['tool_use_id']) ?? '';
    const isError = block['is_error'] === true;
    const body: Extract<EventBody, { type: 'tool_result' }> = {
      type: 'tool_result',
      toolUseId,
      isError,
      ...(isError && isRejected(message, toolUseId) ? { isDenied: true } : {}),
      ...cut(resultText(block['content']), maxToolResultChars, redactor),
    };
    signals.push(event(agent === undefined ? body : { ...body, agent }));
  }
  return signals;
}

function isRejected({ tool_result_meta: meta }: JsonObject, toolUseId: string): boolean {
  const facts = asList(meta).find((one) => isObject(one) && one['id'] === toolUseId);
  const decision = isObject(facts) ? facts['permission_decision'] : undefined;
  return isObject(decision) && decision['decision'] === 'reject';
}

/** The full text stays in Claude Code's transcript on disk. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => (isObject(part) ? (asText(part['text']) ?? `[${asText(part['type']) ?? 'data'}]`) : ''))
    .join('\n');
}

function cut(whole: string, maxChars: number, redactor: Redactor): { text: string; chars?: number } {
  return whole.length <= maxChars
    ? { text: whole }
    : { text: cutMiddle(redactor.redact(whole), maxChars), chars: whole.length };
}

function seen(message: JsonObject, answer?: AnswerPart): BackendSignal[] {
  const uuid = asText(message['uuid']);
  if (uuid === undefined) return [];
  return [answer === undefined ? { type: 'message_seen', uuid } : { type: 'message_seen', uuid, answer }];
}

function answerPart(message: unknown, agent: string | undefined): AnswerPart | undefined {
  if (!isObject(message)) return undefined;
  const { id, usage, content } = message;
  if (typeof id !== 'string' || !isObject(usage)) return undefined;
  let chars = 0;
  for (const block of asList(content)) chars += charsOf(block);
  const model = asText(message['model']);
  return agent === undefined ? { id, usage, chars, model } : { id, usage, chars, model, agent };
}

function charsOf(block: unknown): number {
  if (!isObject(block)) return 0;
  const words = asText(block['text']) ?? asText(block['thinking']);
  return words?.length ?? JSON.stringify(block).length;
}

function blocksOf(message: JsonObject): JsonObject[] {
  const inner = message['message'];
  return isObject(inner) ? asList(inner['content']).filter(isObject) : [];
}

function event(body: EventBody): BackendSignal {
  return { type: 'event', event: body };
}
