import { expect, it } from 'vitest';
import { callerSecrets } from '../../src/session/caller-secrets.js';

it('takes variables whole and headers by the word, at any depth', () => {
  expect(
    callerSecrets({
      model: 'sonnet',
      env: { A: 'one two' },
      mcpServers: {
        far: { type: 'http', url: 'https://a.example', headers: { Authorization: 'Bearer three' } },
        near: { command: 'x', env: { B: 'four' } },
      },
      agents: {
        a: { description: 'd', prompt: 'p', mcpServers: [{ s: { command: 'y', env: { C: 'five' } } }] },
      },
    }),
  ).toEqual(['one two', 'Bearer', 'three', 'four', 'five']);
});

it('finds nothing in a request without any', () => {
  expect(callerSecrets({ title: 'env', additionalDirectories: ['/headers'] })).toEqual([]);
});
