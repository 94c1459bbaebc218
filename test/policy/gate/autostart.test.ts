import { describe, expect, it } from 'vitest';
import {
  isAroundAutostart,
  isAutostartFile,
  isInUnknownFolder,
  isNamedAutostart,
} from '../../../src/policy/gate/autostart.js';

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
    '/p/.pi/extensions/a.ts',
    '/p/.github/extensions/a/extension.mjs',
    '/p/.github/mcp.json',
    '/p/.gitlab/duo/mcp.json',
    '/p/.dir-locals-2.el',
    '/p/mise.local.toml',
    '/p/.mise.production.toml',
    '/p/.config/mise/config.toml',
    '/home/u/.codex/worktrees/1a2b/app/.codex/config.toml',
    '/home/u/.codex/worktrees',
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
    '/p/docs/mise/config.toml.md',
    '/home/u/.codex/worktrees/1a2b/app/src/a.ts',
    '/home/u/.cursor/worktrees/app/1a2b',
  ])('is none of these, as an ordinary file of a project: %s', (path) => {
    expect([isAutostartFile(at(path)), isNamedAutostart(at(path))]).toEqual([false, false]);
  });

  it.each([
    '/p/.github',
    '/p/a/.GITHUB',
    '/p/.gitlab',
    '/p/.config',
    '/p/.claude',
    '/p/node_modules',
    '/p/venv',
  ])('can come about by a move into the folder around it, or to its name: %s', (path) => {
    expect([isAroundAutostart(at(path)), isNamedAutostart(at(path))]).toEqual([true, false]);
  });

  it.each(['/p/.github/workflows', '/p/src', '/p/config', '/p/.config/fish', '/p/node_modules/a', '/p'])(
    'cannot come about by a move to this folder: %s',
    (path) => {
      expect(isAroundAutostart(at(path))).toBe(false);
    },
  );

  it('is a program in a folder of programs, but commands may run it', () => {
    expect(isAutostartFile(at('/p/node_modules/.bin/claude'))).toBe(true);
    expect(isNamedAutostart(at('/p/node_modules/.bin/claude'))).toBe(false);
  });
});

describe('a file in a hidden folder', () => {
  const own = ['/home/u/.work/app', '/q'];
  const isUnknown = (named: string, real = named): boolean => isInUnknownFolder({ named, real }, own);

  it.each([
    '/home/u/.work/app/.newagent/hooks.json',
    '/home/u/.work/app/packages/a/.newagent/x/y.md',
    '/home/u/.work/app/.GITHUB\u200b2/x',
    '/q/.newagent/x',
    '/q/.claude-plugin/plugin.json',
    '/q/.config/fish/config.fish',
    '/q/.config/husky/pre-commit',
    '/q/.config/newagent/a/b.json',
    '/q/.worktrees/a/.newagent/x',
  ])('may belong to a tool that nobody knows yet: %j', (path) => {
    expect(isUnknown(path)).toBe(true);
  });

  it('is recognised through a link, by the name of either end', () => {
    expect(isUnknown('/q/a', '/q/.newagent/a')).toBe(true);
    expect(isUnknown('/q/.newagent/a', '/q/a')).toBe(true);
  });

  it.each([
    '/home/u/.work/app/src/a.ts',
    '/home/u/.work/app/.env',
    '/home/u/.work/app/.github/workflows/ci.yml',
    '/home/u/.work/app/.GitHub/CODEOWNERS',
    '/home/u/.work/app/docs/.vitepress/config.ts',
    '/home/u/.work/app/.claude/worktrees/a/src/b.ts',
    '/q/.worktrees/a/src/b.ts',
    '/q/.config/nextest.toml',
    '/q/.changelog/1.txt',
    // Claude Code asks about those that are in no folder of the session.
    '/home/u/.newagent/hooks.json',
  ])('is an ordinary one if the folder is known, or not of the session: %s', (path) => {
    expect(isUnknown(path)).toBe(false);
  });
});
