/** The two formats of a message in the Messages API: a JSON body and a stream of events. */
import { randomUUID } from 'node:crypto';
import type { Block, MessageStep, Usage } from './model-steps.js';

export const DEFAULT_USAGE: Usage = { input: 1000, output: 20 };

export type SseEvent = { readonly type: string; readonly [key: string]: unknown };

export function toSseFrame(event: SseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function toJsonMessage(step: MessageStep, model: string): Record<string, unknown> {
  return {
    ...envelope(model),
    content: step.blocks.map(toContentBlock),
    stop_reason: stopReason(step),
    usage: toUsage(step.usage ?? DEFAULT_USAGE),
  };
}

/** All events of the message. For a step that does not complete, only the events up to the last piece of its last block. */
export function* toSseEvents(step: MessageStep, model: string): Generator<SseEvent> {
  const usage = step.usage ?? DEFAULT_USAGE;
  yield {
    type: 'message_start',
    message: {
      ...envelope(model),
      content: [],
      stop_reason: null,
      usage: { ...toUsage(usage), output_tokens: 1 },
    },
  };
  for (const [index, block] of step.blocks.entries()) {
    yield { type: 'content_block_start', index, content_block: emptied(toContentBlock(block)) };
    for (const delta of toDeltas(block, step.deltas ?? 1))
      yield { type: 'content_block_delta', index, delta };
    if (step.ending !== 'complete' && index === step.blocks.length - 1) return;
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: stopReason(step), stop_sequence: null },
    usage: { output_tokens: usage.output },
  };
  yield { type: 'message_stop' };
}

function envelope(model: string): Record<string, unknown> {
  return { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function stopReason(step: MessageStep): string {
  return step.stopReason ?? (step.blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
}

function toUsage(usage: Usage): Record<string, number> {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

function toContentBlock(block: Block): Record<string, unknown> {
  if (block.type === 'tool_use') return { ...block, id: block.id ?? `toolu_${randomUUID()}` };
  if (block.type === 'thinking') return { ...block, signature: 'scripted' };
  return { ...block };
}

function emptied(block: Record<string, unknown>): Record<string, unknown> {
  switch (block['type']) {
    case 'tool_use':
      return { ...block, input: {} };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    default:
      return { ...block, text: '' };
  }
}

function toDeltas(block: Block, count: number): readonly Record<string, unknown>[] {
  switch (block.type) {
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: 'scripted' },
      ];
    case 'text':
      return pieces(block.text, count).map((piece) => ({ type: 'text_delta', text: piece }));
  }
}

// Splits between code points, because half a surrogate pair is not valid UTF-8.
function pieces(content: string, count: number): readonly string[] {
  const points = Array.from(content);
  const size = Math.max(1, Math.ceil(points.length / count));
  const result: string[] = [];
  for (let start = 0; start < points.length; start += size)
    result.push(points.slice(start, start + size).join(''));
  return result;
}
