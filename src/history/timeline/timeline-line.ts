import { asText, isObject, ownValue, type JsonObject } from '../../core/json.js';
import { blocksOf, isOwnNote, textOfBlocks, userBlocksOf } from '../message-line.js';

/** One thing that happened in a conversation, as Claude Code recorded it. */
export interface TranscriptItem {
  readonly at: number;
  /** The kind of subagent, if one did it. */
  readonly agent?: string;
  readonly body:
    | { readonly type: 'prompt' | 'text' | 'thinking'; readonly text: string }
    | {
        readonly type: 'tool_use';
        readonly toolUseId: string;
        readonly toolName: string;
        readonly input: JsonObject;
      }
    | {
        readonly type: 'tool_result';
        readonly toolUseId: string;
        readonly isError: boolean;
        readonly isDenied: boolean;
        readonly text: string;
      };
}

type Body = TranscriptItem['body'];

/** What a line of a transcript records, in order. Most lines are bookkeeping and record nothing. */
export function bodiesIn(line: unknown, isOfAgent: boolean): readonly Body[] {
  const type = ownValue(line, 'type');
  if (ownValue(line, 'isMeta') === true || isOwnNote(line)) return [];
  const content = ownValue(line, 'message', 'content');
  if (type === 'assistant') return blocksOf(content).flatMap(spoken);
  if (type !== 'user') return [];
  const blocks = userBlocksOf(content);
  const results = blocks.flatMap((block) => returned(block, line));
  // The prompt of a subagent is the input of the call that started it.
  if (results.length > 0 || isOfAgent) return results;
  const text = textOfBlocks(blocks).trim();
  return text === '' ? [] : [{ type: 'prompt', text }];
}

export function timeOf(line: unknown): number | undefined {
  const at = Date.parse(asText(ownValue(line, 'timestamp')) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

function spoken(block: unknown): Body[] {
  const type = ownValue(block, 'type');
  if (type === 'text' || type === 'thinking') {
    const text = asText(ownValue(block, type))?.trim() ?? '';
    return text === '' ? [] : [{ type, text }];
  }
  if (type !== 'tool_use') return [];
  const input = ownValue(block, 'input');
  return [
    {
      type,
      toolUseId: asText(ownValue(block, 'id')) ?? '',
      toolName: asText(ownValue(block, 'name')) ?? 'unknown',
      input: isObject(input) ? input : {},
    },
  ];
}

function returned(block: unknown, line: unknown): Body[] {
  if (ownValue(block, 'type') !== 'tool_result') return [];
  const isError = ownValue(block, 'is_error') === true;
  return [
    {
      type: 'tool_result',
      toolUseId: asText(ownValue(block, 'tool_use_id')) ?? '',
      isError,
      isDenied: isError && ownValue(line, 'permissionDecision', 'decision') === 'reject',
      text: textOfBlocks(ownValue(block, 'content')),
    },
  ];
}
