import { expect, it } from 'vitest';
import { toOptions } from '../../../src/toolsets/codex/options.js';

it.each([
  [{}, undefined],
  [{ sandbox: 'read-only' }, 'default'],
  [{ sandbox: 'read-only', 'approval-policy': 'on-request' }, 'default'],
  [{ sandbox: 'read-only', 'approval-policy': 'never' }, 'dontAsk'],
  [{ 'approval-policy': 'never' }, 'dontAsk'],
  [{ sandbox: 'workspace-write', 'approval-policy': 'never' }, 'acceptEdits'],
  [{ sandbox: 'danger-full-access', 'approval-policy': 'never' }, 'bypassPermissions'],
] as const)('%j runs in the mode %s', (args, permissionMode) => {
  expect(toOptions(args).options).toEqual({ permissionMode });
});

it('names of OpenAI models and arguments without a counterpart are ignored, and listed', () => {
  const args = { model: 'gpt-5-codex', profile: 'work', config: {}, 'include-plan-tool': false } as const;

  expect(toOptions(args)).toEqual({
    options: {},
    ignored: ['model', 'profile', 'config', 'include-plan-tool'],
  });
});

it('models of Claude and instructions are passed on', () => {
  const both = { 'base-instructions': 'Be brief.', 'developer-instructions': 'Use tabs.' } as const;
  const added = { model: 'opus', 'developer-instructions': 'Use tabs.' } as const;

  expect([toOptions(both), toOptions(added)]).toEqual([
    { options: { systemPrompt: 'Be brief.\n\nUse tabs.' }, ignored: [] },
    {
      options: {
        model: 'opus',
        systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Use tabs.' },
      },
      ignored: [],
    },
  ]);
});
