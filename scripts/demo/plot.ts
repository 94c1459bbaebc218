/** The prompts of the demo, and the script of the model. */
import { join } from 'node:path';
import { say, text, tool, type MessageStep } from '../../test/kit/model-steps.js';
import type { ScriptedModel } from '../../test/kit/scripted-model.js';

export const TOPIC_NAME = 'topic.txt';
export const TOPIC = 'asking for permission';
export const FILE_NAME = 'haiku.txt';
export const HAIKU = 'A call comes over\nthe file waits for one small yes\nthen it is written\n';

export const TASK = `Read ${TOPIC_NAME}, then use the Write tool to put a haiku about it into ${FILE_NAME}. Reply with one short sentence.`;
export const FOLLOW_UP = 'How many lines does the file have? Answer from memory, in one short sentence.';

/** Slow enough for a person to follow. */
const THINKING_MS = 700;

export function scriptModel(model: ScriptedModel, project: string): void {
  const read = tool('Read', { file_path: join(project, TOPIC_NAME) });
  const write = tool('Write', { file_path: join(project, FILE_NAME), content: HAIKU });
  model.when(TASK, [
    slowly(say('I will read the topic first.', read)),
    slowly(say('Now I know what it is about.', write)),
    slowly(text(`I wrote a haiku into ${FILE_NAME}.`)),
  ]);
  model.when(FOLLOW_UP, [text('It has three lines.')]);
}

function slowly(step: MessageStep): MessageStep {
  return { ...step, delayMs: THINKING_MS };
}
