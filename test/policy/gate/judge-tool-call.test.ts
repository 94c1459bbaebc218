import { describe, expect, it } from 'vitest';
import { judgeToolCall, type GateFacts } from '../../../src/policy/gate/judge-tool-call.js';
import { isReadOnly } from '../../../src/policy/gate/read-only.js';

const facts = { plansDir: '/home/u/.claude/plans', isHumanOnly: false, allowedTools: [] };

function judge(
  toolName: string,
  input: Record<string, unknown>,
  permissionMode: string,
  changes: Partial<GateFacts> = {},
): unknown {
  return judgeToolCall({ toolUseId: 't', toolName, input, permissionMode }, { ...facts, ...changes });
}

describe('a tool call', () => {
  it('that ends plan mode needs approval of the plan', () => {
    expect(judge('ExitPlanMode', {}, 'plan')).toEqual({
      ask: 'Claude may carry out a plan only after it is approved',
      isGrantable: false,
    });
    expect(judge('ExitPlanMode', {}, 'default')).toBe('pass');
  });

  it.each([
    ['Read', { file_path: '/p/a' }],
    ['Bash', { command: 'ls -la src' }],
    ['Write', { file_path: '/home/u/.claude/plans/a-plan.md' }],
  ])('that changes nothing passes in plan mode: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'plan')).toBe('pass');
  });

  it.each([
    ['Write', { file_path: '/p/a' }],
    ['Write', { file_path: '/home/u/.claude/plans/../settings.json' }],
    ['Edit', { file_path: '/p/a' }],
    ['Bash', { command: 'touch a' }],
    ['mcp__db__query', {}],
    ['SomethingNew', {}],
  ])('that could change something needs approval in plan mode: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'plan')).toEqual({ ask: 'Plan mode is read-only', isGrantable: false });
  });

  it.each(['default', 'acceptEdits', 'dontAsk', 'auto', ''])('passes to Claude Code in mode "%s"', (mode) => {
    expect(judge('Bash', { command: 'touch a' }, mode)).toBe('pass');
  });

  it.each([
    '/p/.cursor/mcp.json',
    '/p/.zed/settings.json',
    '/p/.windsurf/mcp.json',
    '/p/.roo/mcp.json',
    '/p/.kiro/settings/mcp.json',
    '/p/.amazonq/mcp.json',
    '.codex/config.toml',
    '/p/.gemini/settings.json',
    '/p/opencode.json',
    '/p/node_modules/.bin/claude',
    'C:\\p\\.cursor\\mcp.json',
  ])('that edits a file which starts programs needs approval in every mode: %s', (path) => {
    expect(judge('Write', { file_path: path }, 'acceptEdits')).toEqual({
      ask: 'This file can make other tools start programs',
      isGrantable: false,
    });
  });
});

describe('a tool call with human-only approvals', () => {
  const human = { isHumanOnly: true };
  const asked = { ask: 'Only a person may approve on this server', isGrantable: true };

  it.each([
    ['Read', { file_path: '/p/a' }],
    ['Glob', { pattern: '*' }],
    ['Bash', { command: 'ls -la' }],
    ['AskUserQuestion', { questions: [] }],
    ['Agent', { prompt: 'look' }],
  ])('passes if it changes nothing: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'default', human)).toBe('pass');
  });

  it.each(['default', 'acceptEdits', 'dontAsk', 'auto', 'bypassPermissions', ''])(
    'needs approval in mode "%s" if it could change something',
    (mode) => {
      expect(judge('Bash', { command: 'touch a' }, mode, human)).toEqual(asked);
      expect(judge('Write', { file_path: '/p/a' }, mode, human)).toEqual(asked);
      expect(judge('mcp__db__query', {}, mode, human)).toEqual(asked);
    },
  );

  it('needs a new approval for every plan, in any mode', () => {
    expect(judge('ExitPlanMode', { plan: 'Do it.' }, 'default', human)).toMatchObject({ isGrantable: false });
  });

  it('needs approval for a plan file too, outside plan mode', () => {
    const input = { file_path: '/home/u/.claude/plans/a-plan.md' };

    expect(judge('Write', input, 'plan', human)).toBe('pass');
    expect(judge('Write', input, 'default', human)).toEqual(asked);
  });

  it('passes only if the operator let the caller pre-approve the whole tool', () => {
    const input = { command: 'touch a' };

    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Bash'] })).toBe('pass');
    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Bash(touch *)'] })).toEqual(asked);
    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Write'] })).toEqual(asked);
  });

  it('always needs approval in plan mode, and for files which start programs, whatever is pre-approved', () => {
    const allowed = { ...human, allowedTools: ['Bash', 'Write'] };

    expect(judge('Bash', { command: 'touch a' }, 'plan', allowed)).toEqual({
      ask: 'Plan mode is read-only',
      isGrantable: false,
    });
    expect(judge('Write', { file_path: '/p/.cursor/mcp.json' }, 'default', allowed)).toEqual({
      ask: 'This file can make other tools start programs',
      isGrantable: false,
    });
  });
});

describe('a command', () => {
  it.each(['ls', 'cat a.txt b.txt', 'grep -rn word src', 'pwd '])('is read-only: %s', (command) => {
    expect(isReadOnly('Bash', { command })).toBe(true);
  });

  it.each([
    'ls > a',
    'ls; touch a',
    'ls && touch a',
    'cat $(touch a)',
    'cat `touch a`',
    'ls | tee a',
    'git commit',
    // A repository can name a program that it runs (core.fsmonitor).
    'git status',
    'git diff --output=a',
    'find . -delete',
    'ls\ntouch a',
    'lsof',
    'sort -o a b',
    '',
  ])('is not provably read-only: %j', (command) => {
    expect(isReadOnly('Bash', { command })).toBe(false);
  });
});
