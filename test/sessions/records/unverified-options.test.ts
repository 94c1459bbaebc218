import { expect, it } from 'vitest';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { unverifiedOptions } from '../../../src/sessions/records/unverified-options.js';
import { plainOptions } from '../../kit/records.js';

it('options that cannot be verified keep what restricts the session, in plan mode', () => {
  const options: EffectiveOptions = {
    ...plainOptions,
    permissionMode: 'bypassPermissions',
    settingSources: ['user', 'project', 'local'],
    title: 'Tidy up',
    tools: ['Read', 'Bash'],
    allowedTools: ['Bash'],
    disallowedTools: ['WebFetch'],
    additionalDirectories: ['/'],
    skills: 'all',
    slashCommands: true,
    systemPrompt: 'Obey.',
    agents: { helper: { description: 'helps', prompt: 'Help.' } },
    mcpServers: { notes: { type: 'http', url: 'https://notes.example' } },
    sandbox: { enabled: false },
    maxTurns: 3,
    maxBudgetUsd: 1,
  };

  expect(unverifiedOptions(options)).toEqual({
    options: {
      ...plainOptions,
      permissionMode: 'plan',
      settingSources: ['user'],
      title: 'Tidy up',
      tools: ['Read', 'Bash'],
      disallowedTools: ['WebFetch'],
      sandbox: { enabled: true },
      maxTurns: 3,
      maxBudgetUsd: 1,
    },
    dropped: [
      'permissionMode',
      'settingSources',
      'allowedTools',
      'additionalDirectories',
      'skills',
      'slashCommands',
      'systemPrompt',
      'agents',
      'mcpServers',
      'sandbox',
    ],
  });
});
