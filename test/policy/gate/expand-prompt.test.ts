import { describe, expect, it } from 'vitest';
import { mayExpand } from '../../../src/policy/gate/expand-prompt.js';

const open = {
  isReadingBounded: false,
  isAlwaysAsking: false,
  isOwnCommand: (name: string) => name === 'fix',
};
const asking = { ...open, isAlwaysAsking: true };
const bounded = { ...open, isReadingBounded: true };

describe('a prompt', () => {
  it.each(['/clear', '/compact keep the names', '/fix', '/fix issue 12', 'hello', 'see "a.txt", please'])(
    'takes effect, whether or not reading is bounded: %j',
    (prompt) => {
      expect([mayExpand(prompt, open), mayExpand(prompt, bounded)]).toEqual([true, true]);
    },
  );

  it.each([
    '/config permissionMode=acceptEdits',
    '/settings permissionMode=auto',
    '/config\tmodel=opus',
    '/config\nmodel=opus',
    ' /config model=opus',
    '\u00a0/config model=opus',
    '/mcp enable all',
    '/FIX',
    '/',
    '/mcp__github__review',
    '/github:review (MCP) all',
    '/fix @github:issue://1',
    'see @github:issue://1',
  ])('is sent as it is written: %j', (prompt) => {
    expect([mayExpand(prompt, open), mayExpand(prompt, bounded)]).toEqual([false, false]);
  });

  it.each(['/clear', '/compact keep the names', 'hello', 'see @a.txt'])(
    'takes effect in plan mode, too: %j',
    (prompt) => {
      expect(mayExpand(prompt, asking)).toBe(true);
    },
  );

  it.each(['/fix', '/init', '/plugin:fix'])(
    'is sent as it is written in plan mode, where its shell lines would run: %j',
    (prompt) => {
      expect(mayExpand(prompt, { ...asking, isOwnCommand: () => true })).toBe(false);
    },
  );

  it('of any length is judged at once', () => {
    const prompts = ['@', '/', '/fix ', '@a ', ' '].map((part) => part.repeat(2 ** 20 / part.length));

    const startedAt = performance.now();
    for (const prompt of prompts) mayExpand(prompt, open);

    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each(['see @a.txt', 'see @/etc/passwd', '/fix ../a', '/fix /etc/passwd', '/fix ~/a', '/fix @a'])(
    'is sent as it is written where reading is bounded: %j',
    (prompt) => {
      expect([mayExpand(prompt, open), mayExpand(prompt, bounded)]).toEqual([true, false]);
    },
  );
});
