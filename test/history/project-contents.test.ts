import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectContents } from '../../src/history/settings/project-contents.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { put } from './support/temp-home.js';

it('names what a project brings along, and what of it runs programs', async () => {
  const folder = temporaryFolder();
  const settings = {
    hooks: { PreToolUse: [] },
    apiKeyHelper: './key.sh',
    permissions: { allow: ['Bash(npm test)'], deny: ['Read'], defaultMode: 'acceptEdits' },
    env: { BASH_ENV: 'x' },
  };
  await put(join(folder, 'CLAUDE.md'), '');
  await put(join(folder, '.claude', 'agents', 'reviewer.md'), '');
  await put(join(folder, '.claude', 'settings.json'), JSON.stringify(settings));
  await put(
    join(folder, '.claude', 'settings.local.json'),
    '{"permissions":{"deny":["Read"]},"model":"opus"}',
  );
  await put(join(folder, '.mcp.json'), '{"mcpServers":{"db":{"command":"./db"}}}');

  expect(await projectContents(folder)).toEqual([
    { path: 'CLAUDE.md', does: 'instructions for Claude', names: [], isActive: false },
    {
      path: '.claude/agents',
      does: 'agents, which may run hooks and MCP servers',
      names: ['reviewer.md'],
      isActive: true,
    },
    {
      path: '.claude/settings.json',
      does: 'settings',
      names: [
        'hook PreToolUse',
        'apiKeyHelper',
        '1 allowed tool rule',
        'permissions.defaultMode',
        'variable BASH_ENV',
      ],
      isActive: true,
    },
    { path: '.claude/settings.local.json', does: 'settings', names: [], isActive: false },
    { path: '.mcp.json', does: 'MCP servers', names: ['db'], isActive: true },
  ]);
});

it.each([
  ['rules', false],
  ['skills', true],
  ['commands', true],
  ['agents', true],
  ['workflows', true],
  ['output-styles', false],
  ['agent-memory', false],
  ['agent-memory-local', false],
])('says whether files in .claude/%s can run programs: %s', async (name, isActive) => {
  const folder = temporaryFolder();
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => put(join(folder, '.claude', name, `${n}.md`), '')));

  expect(await projectContents(folder)).toMatchObject([
    { path: `.claude/${name}`, names: [...[1, 2, 3, 4, 5, 6].map((n) => `${n}.md`), 'and 1 more'], isActive },
  ]);
});

it('mentions files that it cannot read', async () => {
  const folder = temporaryFolder();
  await put(join(folder, '.mcp.json'), '{');
  await put(join(folder, '.claude', 'settings.json'), '[');

  expect(await projectContents(folder)).toEqual([
    { path: '.claude/settings.json', does: 'settings that cannot be read', names: [], isActive: true },
    { path: '.mcp.json', does: 'MCP servers', names: [], isActive: true },
  ]);
});
