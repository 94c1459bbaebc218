import { expect, it } from 'vitest';
import { resumeCommand } from '../../../src/console/sessions/next-steps.js';

it('the command that a person can type contains no control characters of a folder', () => {
  const command = resumeCommand('/code/a\u001b]0;title\u0007', '11111111-1111-4111-8111-111111111111');

  expect(command).toBe(
    String.raw`cd $'/code/a\x1b]0;title\x07' && claude --resume 11111111-1111-4111-8111-111111111111`,
  );
});
