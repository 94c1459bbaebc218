import { describe, expect, it } from 'vitest';
import { isAutostartFile, isNamedAutostart } from '../../../src/policy/gate/autostart.js';

const at = (path: string) => ({ named: path, real: path });

describe('a file from which other tools start programs', () => {
  it.each([
    '/p/.cursor/mcp.json',
    '/p/.cursor/hooks.json',
    '/p/.codex/hooks.json',
    '/p/.gemini/settings.json',
    '/p/.zed/tasks.json',
    '/p/.opencode/plugin/a.js',
    '/p/opencode.json',
    '/p/.vs/mcp.json',
    '/p/.junie/mcp/mcp.json',
    '/p/.windsurf/hooks.json',
    '/p/.roo/mcp.json',
    '/p/.kiro/settings/mcp.json',
    '/p/.amazonq/mcp.json',
    '/p/.github/hooks/a.json',
    '/p/.githooks/pre-commit',
    '/p/.claude/launch.json',
    '/p/.hg/hgrc',
    '/p/mise.toml',
    '/p/any.code-workspace',
    '/p/packages/a/.cursor/rules/b.mdc',
    '/p/.zed',
    'C:\\p\\.cursor\\mcp.json',
  ])('is recognised by its name or folder: %s', (path) => {
    expect([isAutostartFile(at(path)), isNamedAutostart(at(path))]).toEqual([true, true]);
  });

  it.each([
    '/p/.CURSOR/hooks.json',
    '/p/.Cursor/Hooks.json',
    '/p/.cursor./hooks.json',
    '/p/.cursor /hooks.json',
    '/p/.cursor::$INDEX_ALLOCATION/hooks.json',
    '/p/opencode.json::$DATA',
    '/p/opencode.json. .',
    '/p/.cur\u200csor/hooks.json',
    '/p/.cur\u017for/hooks.json',
    '/p/.\uff43ursor/hooks.json',
  ])('is recognised in the spellings that a file system accepts for it: %j', (path) => {
    expect(isAutostartFile(at(path))).toBe(true);
  });

  it('is recognised through a link, by the name of either end', () => {
    expect(isAutostartFile({ named: '/p/a', real: '/p/.cursor/hooks.json' })).toBe(true);
    expect(isAutostartFile({ named: '/p/.cursor/hooks.json', real: '/p/a' })).toBe(true);
  });

  it.each([
    '/p/src/cursor/a.ts',
    '/p/.cursorrules',
    '/p/a.cursor/b',
    '/p/package.json',
    '/p/Makefile',
    '/p/CLAUDE.md',
    '/p/.github/workflows/ci.yml',
    '/p/eslint.config.js',
    '/p/docs/opencode.json.md',
  ])('is not an ordinary file of a project: %s', (path) => {
    expect([isAutostartFile(at(path)), isNamedAutostart(at(path))]).toEqual([false, false]);
  });

  it('is a program in a folder of programs, but commands may run it', () => {
    expect(isAutostartFile(at('/p/node_modules/.bin/claude'))).toBe(true);
    expect(isNamedAutostart(at('/p/node_modules/.bin/claude'))).toBe(false);
  });
});
