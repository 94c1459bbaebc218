import { expect, it } from 'vitest';
import { clientRows, limitsOf } from '../../../src/mcp/clients/limits.js';

const safest = { waitMs: 45_000, resultChars: 7_500 };

it.each([
  ['claude-code 2.1.325', true, { waitMs: 285_000, resultChars: 20_000 }],
  ['claude-code 2.1.325', false, { waitMs: 45_000, resultChars: 20_000 }],
  ['claude-code 2.2.0', true, { waitMs: 285_000, resultChars: 20_000 }],
  ['claude-code 10.0.0-beta.1', true, { waitMs: 285_000, resultChars: 20_000 }],
  ['codex-mcp-client 0.166.0', false, { waitMs: 285_000, resultChars: 9_000 }],
  ['gemini-cli-mcp-client 0.61.0', true, { waitMs: 285_000, resultChars: 20_000 }],
  ['copilot-cli 1.0.102-3', false, { waitMs: 150_000, resultChars: 14_000 }],
])('knows the limits of %s, progress: %s', (client, hasProgress, limits) => {
  expect(limitsOf(client, hasProgress)).toEqual(limits);
});

it.each([
  [undefined],
  [''],
  ['claude-code'],
  ['claude-code unknown'],
  ['claude-code 2.1.324'],
  ['my-claude-code 9.0.0'],
  ['codex-mcp-client 0.60.0'],
  ['constructor 1.0.0'],
  ['@cline/core 0.0.0'],
  ['qwen-cli-mcp-client-claude-code 0.0.1'],
])('gives %j the limits of the strictest client', (client) => {
  expect(limitsOf(client, true)).toEqual(safest);
});

it('never has a client wait less, or read less, than an unknown one', () => {
  for (const { silentMs, progressMs, resultChars } of clientRows)
    expect([silentMs >= safest.waitMs, progressMs >= silentMs, resultChars >= safest.resultChars]).toEqual([
      true,
      true,
      true,
    ]);
});
