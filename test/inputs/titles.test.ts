import { expect, it } from 'vitest';
import { titleOf } from '../../src/inputs/form-text.js';
import { plainAsk } from '../kit/fake-backend.js';

it.each([
  [{ toolName: 'Bash', input: { command: 'npm test' } }, 'Run `npm test`'],
  [{ toolName: 'Edit', input: { file_path: '/srv/app/a.ts' } }, 'Edit `/srv/app/a.ts`'],
  [{ toolName: 'Write', input: {} }, 'Write this file'],
  [{ toolName: 'mcp__db__query', input: {} }, 'Use mcp__db__query'],
  [{ kind: 'plan_review', toolName: 'ExitPlanMode', input: {} }, 'Review a plan'],
  [{ kind: 'user_question', input: { questions: [{ question: 'Which?', options: [] }] } }, 'Answer "Which?"'],
  [
    {
      kind: 'user_question',
      input: {
        questions: [
          { question: 'Which?', options: [] },
          { question: 'When?', options: [] },
        ],
      },
    },
    'Answer 2 questions',
  ],
] as const)('a request about %j has the title %s', (ask, title) => {
  expect(titleOf({ ...plainAsk, ...ask })).toBe(title);
});
