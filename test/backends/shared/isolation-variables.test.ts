import { expect, it } from 'vitest';
import { isolationVariables } from '../../../src/backends/shared/isolation-variables.js';
import { launchWith } from '../launch.js';

it('closes messages between sessions, and keeps hooks and searches as they are, everywhere', () => {
  const trusted = launchWith({ settingSources: ['user', 'project', 'local'] });

  expect(isolationVariables(trusted)).toEqual({
    CLAUDE_CODE_HARBOR_KITE: '0',
    CLAUDE_CODE_SIMPLE: '',
    GREP_OPTIONS: '',
  });
});

it('withholds the git snapshot and memories, and runs no scheduled task, where project settings are not loaded', () => {
  expect(isolationVariables(launchWith({ settingSources: ['user'] }))).toEqual({
    CLAUDE_CODE_HARBOR_KITE: '0',
    CLAUDE_CODE_SIMPLE: '',
    GREP_OPTIONS: '',
    CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '',
    CLAUDE_CODE_DISABLE_CRON: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
  });
});

it('withholds the instructions of additional folders, which may not be trusted', () => {
  const launch = launchWith({
    settingSources: ['user', 'project', 'local'],
    additionalDirectories: ['/other'],
  });

  expect(isolationVariables(launch)).toMatchObject({
    CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '',
  });
});
