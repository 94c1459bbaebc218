import { expect, it } from 'vitest';
import type { Prompt } from '../../../src/core/claude/backend.js';
import { AppError } from '../../../src/core/errors.js';
import { PromptQueue } from '../../../src/session/turn/prompt-queue.js';

const prompt = (text: string): Prompt => ({ uuid: `uuid-${text}`, text, delivery: 'turn' });

function queueOf(count: number): PromptQueue<number> {
  const queue = new PromptQueue<number>([], (text) => text);
  for (let index = 0; index < count; index += 1) queue.add(prompt(`p${index}`), index);
  return queue;
}

it('returns prompts in the order of arrival, with their changes', () => {
  const queue = queueOf(2);

  expect([queue.next(), queue.next(), queue.next()]).toEqual([
    { prompt: prompt('p0'), changes: 0 },
    { prompt: prompt('p1'), changes: 1 },
    undefined,
  ]);
});

it('accepts ten prompts and refuses the eleventh', () => {
  const queue = queueOf(10);

  expect(() => queue.add(prompt('more'), 0)).toThrow(new AppError('queue_full', { limit: 10 }));
  expect(queue.texts.length).toBe(10);
});

it('returns how many prompts it drops, and is empty afterwards', () => {
  const queue = queueOf(3);

  expect([queue.drop(), queue.drop(), queue.texts.length]).toEqual([3, 0, 0]);
  expect(queue.next()).toBeUndefined();
});
