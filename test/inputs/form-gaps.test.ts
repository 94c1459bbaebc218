import { describe, expect, it } from 'vitest';
import type { InputRequest } from '../../src/core/session/inputs.js';
import { toForm } from '../../src/inputs/form.js';
import { plainAsk } from '../kit/fake-backend.js';

const origin = { session: '1', folder: '/srv/app' };

function requestOf({ input }: { readonly input: Record<string, unknown> }): InputRequest {
  const ask = { ...plainAsk, input };
  return { ...ask, shown: ask, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
}

describe('text of the agent', () => {
  it.each([
    ['blanks', ' '.repeat(200)],
    ['tabs', '\t'.repeat(25)],
  ])('cannot push the end of a command out of sight with %s', (_what, gap) => {
    const request = requestOf({ input: { command: `ls${gap}; rm -rf x` } });

    const lines = toForm(request, origin).message.split('\n');

    expect(lines[0]).toBe('Allow Claude Code to run this command in app?');
    expect(lines[3]).toBe('> command: ls …[200 spaces]… ; rm -rf x');
  });

  it.each([
    ['newlines', '\n'.repeat(900)],
    ['lines of blanks', '\n \t'.repeat(900)],
  ])('cannot push the end of a command out of sight with %s', (_what, gap) => {
    const request = requestOf({ input: { command: `ls${gap}\nrm -rf x` } });

    const lines = toForm(request, origin).message.split('\n');

    expect(lines.slice(3)).toEqual([
      '> command:',
      '> | ls',
      expect.stringMatching(/^> \| …\[\d+ empty lines\]…$/),
      '> | rm -rf x',
    ]);
  });

  it('says that a person sees only some of very many lines', () => {
    const request = requestOf({ input: { command: `ls${'\n:'.repeat(900)}\nrm -rf x` } });

    const lines = toForm(request, origin).message.split('\n');

    expect(lines.slice(-3)).toEqual([
      '> | :',
      '> | rm -rf x',
      expect.stringMatching(/^Only part of this is shown/),
    ]);
    expect(lines.length).toBeLessThan(110);
    expect(lines).toContain('> …[803 lines]…');
  });
});
