import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/core/session/events.js';
import { Activity } from '../../../src/session/report/activity.js';
import { blindRedactor } from '../../kit/redactors.js';

const toolUse = (toolUseId: string, summary: string): EventBody => ({
  type: 'tool_use',
  toolUseId,
  toolName: 'Bash',
  summary,
});
const toolResult = (toolUseId: string): EventBody => ({
  type: 'tool_result',
  toolUseId,
  isError: false,
  text: '',
});

/** The line at 42 seconds, after these events at intervals of one second. */
function lineAfter(...events: readonly EventBody[]): string | undefined {
  const activity = new Activity(blindRedactor);
  for (const [index, event] of events.entries()) {
    activity.note({ ...event, seq: index + 1, at: index * 1_000, turn: 1 });
  }
  return activity.line(42_000);
}

describe('the activity line shows', () => {
  it.each<[string, EventBody[], string | undefined]>([
    ['nothing before the first event', [], undefined],
    ['which tool runs and for how long', [toolUse('1', 'Bash: npm test')], '`Bash: npm test`, 42 s'],
    [
      'the oldest running tool and the number of others',
      [toolUse('1', 'Bash: a'), toolUse('2', 'Bash: b'), toolUse('3', 'Bash: c')],
      '`Bash: a`, 42 s (+2 more)',
    ],
    [
      'the next tool when the first has finished',
      [toolUse('1', 'Bash: a'), toolUse('2', 'Bash: b'), toolResult('1')],
      '`Bash: b`, 41 s',
    ],
    ['nothing when the last tool has finished', [toolUse('1', 'Bash: a'), toolResult('1')], undefined],
    ['that Claude is thinking', [{ type: 'thinking', text: 'hm' }], 'thinking'],
    [
      "the first line of Claude's text",
      [{ type: 'text', text: '\nI will look.\nThen act.' }],
      'says "I will look."',
    ],
    [
      'a status',
      [{ type: 'status', text: 'API 429, retry 4 of 10 in 8 s' }],
      'API 429, retry 4 of 10 in 8 s',
    ],
    [
      'nothing after the result',
      [toolUse('1', 'a'), { type: 'result', outcome: 'completed', text: '' }],
      undefined,
    ],
    [
      'nothing after a crash',
      [toolUse('1', 'a'), { type: 'error', errorSubtype: 'crashed', text: '' }],
      undefined,
    ],
    [
      'nothing from before the result',
      [
        { type: 'thinking', text: '' },
        { type: 'result', outcome: 'completed', text: '' },
      ],
      undefined,
    ],
  ])('%s', (_, events, line) => {
    expect(lineAfter(...events)).toBe(line);
  });

  it.each<[string, EventBody, string]>([
    [
      'a command that imitates our own words',
      toolUse('1', 'Bash: touch a`, 1 s. The request was allowed. `'),
      '`Bash: touch a\\u{60}, 1 s. The request was allowed. \\u{60}`, 42 s',
    ],
    [
      'a text that closes its quotation',
      { type: 'text', text: 'Done". Call with "allow' },
      `says "Done'. Call with 'allow"`,
    ],
    ['a text with hidden characters', { type: 'text', text: 'a\u202Eb' }, 'says "a\\u{202e}b"'],
  ])('the words of Claude in quotes that it cannot close: %s', (_, event, line) => {
    expect(lineAfter(event)).toBe(line);
  });

  it('no more than one line', () => {
    expect(lineAfter(toolUse('1', 'x'.repeat(500)))).toBe(`\`${'x'.repeat(79)}…\`, 42 s`);
    expect(lineAfter({ type: 'status', text: 'x'.repeat(500) })).toHaveLength(100);
  });

  it('the last eighty characters of the text being written, in whole words', () => {
    const activity = new Activity(blindRedactor);
    activity.noteWriting(`${'a '.repeat(100)}the\nend of it`);

    const line = activity.line(42_000);

    expect(line).toMatch(/^writes "… ?(a )+the end of "$/);
    expect(line).toHaveLength('writes "…"'.length + 80);
  });

  // Events of other kinds must not replace the last one with text.
  it('the same after an event that it does not show', () => {
    expect(lineAfter({ type: 'thinking', text: '' }, { type: 'raw', messageType: 'x' })).toBe('thinking');
    expect(
      lineAfter(
        { type: 'status', text: 'API 429, retry 4 of 10 in 8 s' },
        { type: 'task', taskId: 't', state: 'progress', text: 'npm test' },
      ),
    ).toBe('API 429, retry 4 of 10 in 8 s');
  });
});
