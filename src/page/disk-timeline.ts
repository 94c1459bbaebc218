import type { SessionId } from '../core/ids.js';
import { cutMiddle } from '../core/text/escape.js';
import { summarizeToolUse } from '../core/text/tool-summary.js';
import type { Transcripts, TranscriptItem } from '../sessions/transcripts.js';
import type { TimelineEvent } from './contract.js';
import { showInTurns } from './timeline.js';
import type { Turn } from '../core/text/in-parts.js';
import { visible, visibleOutput } from './wording/texts.js';

type Body = TimelineEvent['body'];

/** As long as those of live sessions. */
const maxTextChars = 16_000;
const maxToolResultChars = 2_000;

type Part = { readonly limit: number; readonly turn: Turn } & (
  { readonly after: number; readonly maxChars: number } | { readonly before: number }
);

interface DiskEvents {
  readonly events: readonly TimelineEvent[];
  /** How many before them cannot be read any more. */
  readonly dropped: number;
  /** The number of the last one that was read or dropped. */
  readonly cursor: number;
}

/** Events of a session that this server has never run, from its transcript. They are numbered from 1. */
export async function readDiskEvents(
  transcripts: Transcripts,
  id: SessionId,
  part: Part,
): Promise<DiskEvents> {
  const { total } = await transcripts.timeline(id);
  const to = Math.min(total, 'after' in part ? part.after + part.limit : Math.ceil(part.before) - 1);
  const from = 'after' in part ? part.after : Math.max(0, to - part.limit);
  const { items, first } = await transcripts.timeline(id, { from, to });
  const events = items.map((item, index) => ({ show: () => toEvent(item, first + index + 1) }));
  const shown = await showInTurns(events, part.turn, 'maxChars' in part ? part.maxChars : undefined);
  return { events: shown, dropped: first - from, cursor: first + shown.length };
}

function toEvent({ at, agent, body }: TranscriptItem, seq: number): TimelineEvent {
  const who = agent === undefined ? {} : { agent: visible(agent) };
  return { seq, at, turn: 0, ...who, body: toBody(body) };
}

function toBody(body: TranscriptItem['body']): Body {
  switch (body.type) {
    case 'prompt':
      return { type: body.type, text: visible(cutMiddle(body.text, maxTextChars)) };
    case 'text':
    case 'thinking':
      return { type: body.type, ...cut(body.text, maxTextChars) };
    case 'tool_use': {
      const { type, toolUseId, toolName, input } = body;
      return {
        type,
        toolUseId,
        toolName: visible(toolName),
        summary: visible(summarizeToolUse(toolName, input)),
      };
    }
    case 'tool_result': {
      const { type, toolUseId, isError, isDenied, text } = body;
      return { type, toolUseId, isError, isDenied, ...cut(text, maxToolResultChars) };
    }
  }
}

function cut(text: string, maxChars: number): { readonly text: string; readonly chars?: number } {
  const shown = visibleOutput(cutMiddle(text, maxChars));
  return text.length <= maxChars ? { text: shown } : { text: shown, chars: text.length };
}
