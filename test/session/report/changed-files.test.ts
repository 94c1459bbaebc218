import { expect, it } from 'vitest';
import type { EventBody } from '../../../src/core/session/events.js';
import { ChangedFiles } from '../../../src/session/report/changed-files.js';

const at = { seq: 1, at: 0, turn: 1 };

function use(toolUseId: string, file?: string): EventBody {
  return {
    type: 'tool_use',
    toolUseId,
    toolName: 'Write',
    summary: '',
    ...(file === undefined ? {} : { file }),
  };
}

function end(toolUseId: string, isError = false): EventBody {
  return { type: 'tool_result', toolUseId, isError, text: '' };
}

function edited(toolUseId: string, file: string): EventBody {
  return {
    type: 'input_resolved',
    requestId: 'r',
    decision: 'allow',
    answeredBy: 'caller',
    toolUseId,
    file,
  };
}

function filesAfter(...events: readonly EventBody[]): readonly string[] {
  const changed = new ChangedFiles();
  for (const event of events) changed.note({ ...event, ...at });
  return changed.take();
}

it('lists each file once, in the order in which the calls ended', () => {
  expect(filesAfter(use('1', 'a'), use('2', 'b'), end('2'), end('1'), use('3', 'b'), end('3'))).toEqual([
    'b',
    'a',
  ]);
});

it('leaves out calls that failed, were denied or have not ended, and tools that change no file', () => {
  expect(filesAfter(use('1', 'a'), end('1', true), use('2', 'b'), use('3'), end('3'), end('4'))).toEqual([]);
});

it('lists the file that an edited call has changed', () => {
  expect(filesAfter(use('1', 'a'), edited('1', 'b'), end('1'))).toEqual(['b']);
});

it('begins anew after each result, and lists a call that outlives its turn with the next', () => {
  const changed = new ChangedFiles();
  for (const event of [use('1', 'a'), end('1'), use('2', 'b')]) changed.note({ ...event, ...at });

  expect(changed.take()).toEqual(['a']);
  changed.note({ ...end('2'), ...at });
  expect(changed.take()).toEqual(['b']);
});

it('remembers only so many calls that never end', () => {
  const changed = new ChangedFiles();
  const calls = Array.from({ length: 1_000 }, (_, index) => use(`${index}`, `f${index}`));
  for (const event of [...calls, end('0'), end('999')]) changed.note({ ...event, ...at });

  expect(changed.take()).toEqual(['f999']);
});

it('is bounded', () => {
  const events = Array.from({ length: 1_000 }, (_, index) => [use(`${index}`, `f${index}`), end(`${index}`)]);

  expect(filesAfter(...events.flat())).toHaveLength(200);
});
