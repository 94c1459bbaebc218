import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reworded } from '../../src/transports/reword-error.js';

const params = z.object({ params: z.object({ uri: z.string(), level: z.enum(['low', 'high']) }) });
const issues = params.safeParse({ params: { level: 'x' } }).error?.message;
const answer = (code: number, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message },
});

describe('an error of the SDK', () => {
  it.each([
    [`${issues}`, 'Invalid params: params.uri must be of type string; params.level is invalid.'],
    [
      `Invalid tools/call request: ${issues}`,
      'Invalid tools/call request: params.uri must be of type string; params.level is invalid.',
    ],
  ])('that lists schema issues becomes a sentence', (sent, expected) => {
    expect(reworded(answer(-32_603, sent))).toEqual(answer(-32_602, expected));
  });

  it('that quotes schema issues has them in plain words', () => {
    const quoted = 'Invalid envelope: Invalid input: expected string, received number';

    expect(reworded(answer(-32_602, quoted))).toEqual(
      answer(-32_602, 'Invalid envelope: expected string, not number'),
    );
  });

  it.each([
    ['another error', answer(-32_601, 'Method not found')],
    ['a list of something else', answer(-32_601, 'x [\n]')],
    ['a result', { jsonrpc: '2.0' as const, id: 1, result: { text: issues } }],
  ])('is sent as it is: %s', (_name, message) => {
    expect(reworded(message)).toBe(message);
  });
});
