import { expect, it } from 'vitest';
import { callerSecrets } from '../../../src/sessions/options/caller-secrets.js';

it('collects possible credentials at any depth: whole variables, and headers word by word', () => {
  expect(
    callerSecrets({
      model: 'sonnet',
      env: { A: 'one-secret', B: 'touch a.txt && id', LANG: 'harmless-1' },
      mcpServers: {
        far: {
          type: 'http',
          url: 'https://a.example',
          headers: { Authorization: 'Bearer two-secret touch$IFS$9x' },
        },
        near: { command: 'x', env: { B: 'three-secret' } },
      },
      agents: {
        a: {
          description: 'd',
          prompt: 'p',
          mcpServers: [{ s: { command: 'y', env: { C: 'four-secret' } } }],
        },
      },
    }),
  ).toEqual(['one-secret', 'two-secret', 'three-secret', 'four-secret']);
});

it('finds nothing in a request without secrets', () => {
  expect(callerSecrets({ title: 'env', additionalDirectories: ['/headers'] })).toEqual([]);
});
