import { describe, expect, it } from 'vitest';
import { cronVariables } from '../../../src/backends/shared/cron-variables.js';
import { launchWith } from '../launch.js';

describe('the scheduled tasks of a project', () => {
  it.each([
    { settingSources: ['user'], variables: { CLAUDE_CODE_DISABLE_CRON: '1' } },
    { settingSources: [], variables: { CLAUDE_CODE_DISABLE_CRON: '1' } },
    { settingSources: ['user', 'local'], variables: { CLAUDE_CODE_DISABLE_CRON: '1' } },
    { settingSources: ['user', 'project', 'local'], variables: {} },
  ] as const)('run only with project settings: $settingSources', ({ settingSources, variables }) => {
    expect(cronVariables(launchWith({ settingSources: [...settingSources] }))).toEqual(variables);
  });
});
