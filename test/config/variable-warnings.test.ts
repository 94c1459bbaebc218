import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.js';
import { ownVariables, settingRows } from '../../src/config/settings.js';
import { variableWarnings } from '../../src/config/variable-warnings.js';

const warningsFor = (...names: readonly string[]): string[] =>
  variableWarnings(Object.fromEntries(names.map((name) => [name, 'x'])));

describe('a variable that resembles one of ours', () => {
  it.each([
    ['CLAUDE_CODE_MCP_MAX_SESSION', 'CLAUDE_CODE_MCP_MAX_SESSIONS'],
    ['CLAUDE_CODE_MCP_MAX_SESSOINS', 'CLAUDE_CODE_MCP_MAX_SESSIONS'],
    ['CLAUDE_CODE_MCP_ROOT', 'CLAUDE_CODE_MCP_ROOTS'],
    ['CLAUDE_CODE_MCP_RESUME_SECRTE', 'CLAUDE_CODE_MCP_RESUME_SECRET'],
    // These have no MCP in their names.
    ['CLAUDE_CODE_MCP_ALLOWED_TOOLS', 'CLAUDE_CODE_ALLOWED_TOOLS'],
    ['CLAUDE_CODE_MCP_PATH', 'CLAUDE_CODE_PATH'],
  ])('causes a warning: %s', (name, meant) => {
    expect(warningsFor(name)).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  it('does not stop the server, and its value is not shown', () => {
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
])('ignores %s, which may belong to another program', (name) => {
  expect(warningsFor(name)).toEqual([]);
});

it('does not warn about our variables, including reserved ones', () => {
  expect(warningsFor(...ownVariables)).toEqual([]);
});

describe('one of our variables without its prefix', () => {
  it.each([
    ['APPROVALS', 'CLAUDE_CODE_MCP_APPROVALS'],
    ['TRUSTED_ROOTS', 'CLAUDE_CODE_MCP_TRUSTED_ROOTS'],
    ['ALLOWED_TOOLS', 'CLAUDE_CODE_ALLOWED_TOOLS'],
  ])('causes a warning with the full name, without its value: %s', (name, own) => {
    const loaded = loadSettings({}, { [name]: 'hunter2' });

    expect(loaded).toEqual({
      ...loadSettings({}, {}),
      warnings: [`${name} has no effect. Set ${own} instead.`],
    });
  });

  it('causes no warning when it is empty, or when the full variable is set', () => {
    const environment = { ROOTS: '', APPROVALS: 'x', CLAUDE_CODE_MCP_APPROVALS: 'human' };

    expect(loadSettings({}, environment).warnings).toEqual([]);
  });

  it('causes a warning when the full variable is empty, which counts as not set', () => {
    const environment = { APPROVALS: 'human', CLAUDE_CODE_MCP_APPROVALS: '' };

    expect(loadSettings({}, environment).warnings).toHaveLength(1);
  });

  it('causes no warning when the short name is a setting itself, or the PATH', () => {
    const short = settingRows.flatMap(({ env }) => env.slice(1));

    expect(short).toContain('LOG_LEVEL');
    expect(warningsFor(...short, 'PATH')).toEqual([]);
  });
});
