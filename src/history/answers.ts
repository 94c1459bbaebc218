import type { AnswerPart } from '../core/claude/backend.js';
import { asText, isObject, ownValue, parseObject } from '../core/json.js';
import { readCompleteLines } from '../files/lines.js';
import { openRegularFile } from '../files/regular-file.js';

/** The parts of the model's responses that Claude Code has written since a moment. */
export async function answersSince(path: string, at: number): Promise<AnswerPart[]> {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    const answers: AnswerPart[] = [];
    for await (const text of readCompleteLines(handle, 0, size)) {
      // Most lines are others, and parsing costs the most.
      const answer = text.includes('"assistant"') ? answerIn(text, at) : undefined;
      if (answer !== undefined) answers.push(answer);
    }
    return answers;
  } finally {
    await handle.close();
  }
}

function answerIn(text: string, at: number): AnswerPart | undefined {
  const line = parseObject(text);
  if (line?.['type'] !== 'assistant' || Date.parse(asText(line['timestamp']) ?? '') < at) return undefined;
  const id = asText(ownValue(line, 'message', 'id'));
  const usage = ownValue(line, 'message', 'usage');
  if (id === undefined || !isObject(usage)) return undefined;
  const chars = JSON.stringify(ownValue(line, 'message', 'content') ?? '').length;
  return { id, usage, chars, model: asText(ownValue(line, 'message', 'model')) };
}
