import { expect, it } from 'vitest';
import { usesPromptRecord } from '../../../src/backends/shared/launch-settings.js';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { plainOptions } from '../../kit/records.js';

const determining: readonly Partial<EffectiveOptions>[] = [
  { systemPrompt: '' },
  { agent: 'reviewer' },
  { tools: [] },
  { notes: ['A note.'] },
];

it.each(determining)('Claude Code does not record the prompt with %j', (options) => {
  expect(usesPromptRecord({ ...plainOptions, ...options })).toBe(false);
});

it('Claude Code records the prompt where no option determines it', () => {
  expect(usesPromptRecord(plainOptions)).toBe(true);
});
