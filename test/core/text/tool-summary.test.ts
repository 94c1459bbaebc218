import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { summarizeToolUse } from '../../../src/core/text/tool-summary.js';

it.each([
  ['Bash', { command: 'npm test', description: 'Show the folder' }, 'Bash: npm test'],
  ['Write', { file_path: '/a/b.txt', content: 'x' }, 'Write: /a/b.txt'],
  ['WebFetch', { url: 'https://example.org', prompt: 'p' }, 'WebFetch: https://example.org'],
  ['mcp__x__y', { a: 1 }, 'mcp__x__y: {"a":1}'],
  ['Bash', { command: 7 }, 'Bash: {"command":7}'],
  ['constructor', {}, 'constructor: {}'],
  ['ExitPlanMode', { plan: '\n## Split the parser\n1. Move it' }, 'ExitPlanMode: Split the parser'],
  ['ExitPlanMode', {}, 'ExitPlanMode: {}'],
  ['Rewind', { messageId: 'm', files: ['/app/a.ts', '/app/b.ts'] }, 'Rewind: /app/a.ts, /app/b.ts'],
  ['Rewind', { messageId: 'm' }, 'Rewind: {"messageId":"m"}'],
  [
    'AskUserQuestion',
    { questions: [{ question: 'Which?', options: [] }, { question: 'When?' }, 5] },
    'AskUserQuestion: Which? / When?',
  ],
  ['AskUserQuestion', { questions: 'all' }, 'AskUserQuestion: {"questions":"all"}'],
])('summarises %s %j', (toolName, input, summary) => {
  expect(summarizeToolUse(toolName, input)).toBe(summary);
});

it('shows line breaks and hidden characters of a command', () => {
  const summary = summarizeToolUse('Bash', { command: 'ls\nrm -rf x\r\u202e' });

  expect(summary).toBe('Bash: ls ⏎ rm -rf x\\u{d}\\u{202e}');
});

it('fits any input into one line of limited length', () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (toolName, input) => {
      const summary = summarizeToolUse(toolName, input, 160);

      expect(summary.length).toBeLessThanOrEqual(160);
      expect(summary).not.toContain('\n');
    }),
  );
});
