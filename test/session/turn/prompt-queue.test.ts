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

it('refuses more text than the record of a session may hold', () => {
  const queue = queueOf(1);
  const long = '\n'.repeat(1024 * 1024);
  queue.add(prompt(long), 0);

  expect(() => queue.add(prompt(long), 0)).toThrow(
    new AppError('queue_too_large', { what: 'text', limit: 3_400_000 }),
  );
});

it('returns how many prompts it drops, and is empty afterwards', () => {
  const queue = queueOf(3);

  expect([queue.drop(), queue.drop(), queue.texts.length]).toEqual([3, 0, 0]);
  expect(queue.next()).toBeUndefined();
});

it('hands over what was meant to steer a turn, and keeps what cannot', () => {
  const queue = queueOf(1);
  for (const text of ['a', 'b']) queue.add({ ...prompt(text), delivery: 'steer' }, 0, 7);
  queue.add({ ...prompt('other turn'), delivery: 'steer' }, 0, 8);
  const seen: (readonly string[])[] = [];

  queue.join(7, ({ text }) => {
    seen.push(queue.texts);
    return text === 'b';
  });

  expect(seen).toEqual([
    ['p0', 'b', 'other turn'],
    ['p0', 'a', 'other turn'],
  ]);
  expect(queue.texts).toEqual(['p0', 'a', 'other turn']);
});
