import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.js';
import { nearMisses } from '../../src/config/near-misses.js';
import { ownVariables } from '../../src/config/settings.js';

describe('a variable that is almost ours', () => {
  it.each([
    ['CLAUDE_CODE_MCP_MAX_SESSION', 'CLAUDE_CODE_MCP_MAX_SESSIONS'],
    ['CLAUDE_CODE_MCP_MAX_SESSOINS', 'CLAUDE_CODE_MCP_MAX_SESSIONS'],
    ['CLAUDE_CODE_MCP_ROOT', 'CLAUDE_CODE_MCP_ROOTS'],
    ['CLAUDE_CODE_MCP_RESUME_SECRTE', 'CLAUDE_CODE_MCP_RESUME_SECRET'],
    // These have no MCP in their names.
    ['CLAUDE_CODE_MCP_ALLOWED_TOOLS', 'CLAUDE_CODE_ALLOWED_TOOLS'],
    ['CLAUDE_CODE_MCP_PATH', 'CLAUDE_CODE_PATH'],
  ])('gets a warning: %s', (name, meant) => {
    expect(nearMisses([name])).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  it('stops nothing, and its value is not told', () => {
    const loaded = loadSettings({}, { CLAUDE_CODE_MCP_RESUME_SECRT: 'hunter2hunter2hunter2' });

    expect(loaded).toEqual({
      ...loadSettings({}, {}),
      warnings: [
        'CLAUDE_CODE_MCP_RESUME_SECRT is not a setting: did you mean CLAUDE_CODE_MCP_RESUME_SECRET?',
      ],
    });
  });
});

it.each([
  'CLAUDE_CODE_MCP_SERVER_NAME',
  'CLAUDE_CODE_MCP_XAA',
  'CLAUDE_CODE_MAX_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'MAX_SESSION',
  'PATH',
])('leaves %s alone: it may belong to somebody else', (name) => {
  expect(nearMisses([name])).toEqual([]);
});

it('says nothing about variables of ours, also those that are kept for later', () => {
  expect(nearMisses([...ownVariables])).toEqual([]);
});
