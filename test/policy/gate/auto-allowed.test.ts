import { describe, expect, it } from 'vitest';
import type { JudgedCall, JudgedCommand } from '../../../src/policy/gate/call.js';
import { isAutoAllowed, type AutoAllowFacts } from '../../../src/policy/gate/auto-allowed.js';

const facts: AutoAllowFacts = {
  folders: ['/srv/repo', '/srv/extra'],
  claudeDir: '/home/ada/.claude',
  askRules: [],
  asksFirst: true,
  asksCommands: false,
};

function isAllowed(call: Partial<JudgedCall>, changes: Partial<AutoAllowFacts> = {}): boolean {
  const plain = { toolUseId: 't', toolName: 'Read', input: {}, targets: [], permissionMode: 'default' };
  return isAutoAllowed({ ...plain, ...call }, { ...facts, ...changes });
}

function at(toolName: string, path: string, real = path): Partial<JudgedCall> {
  const input = toolName === 'Grep' ? { path } : { file_path: path };
  return { toolName, input, targets: [{ named: path, real }] };
}

function running(command: Partial<JudgedCommand>): Partial<JudgedCall> {
  const plain = { isReadOnly: true, reads: [{ named: '/srv/repo/a', real: '/srv/repo/a' }] };
  return { toolName: 'Bash', input: { command: 'cat a' }, command: { ...plain, ...command } };
}

describe('a call that runs without approval, though Claude Code asks about everything', () => {
  it.each<[string, Partial<JudgedCall>]>([
    ['reads inside the folder', at('Read', '/srv/repo/a.ts')],
    ['reads inside another folder of the session', at('Grep', '/srv/extra')],
    ['runs a command that only reads inside the folders', running({})],
    ['keeps a list', { toolName: 'TodoWrite' }],
    ['delegates', { toolName: 'Agent', input: { prompt: 'p' } }],
    [
      'writes the plan in plan mode',
      { ...at('Write', '/home/ada/.claude/plans/a.md'), permissionMode: 'plan' },
    ],
    ['edits where edits are accepted', { ...at('Edit', '/srv/repo/a.ts'), permissionMode: 'acceptEdits' }],
  ])('%s', (_what, call) => {
    expect(isAllowed(call)).toBe(true);
  });
});

describe('a call that is asked about', () => {
  it.each<[string, Partial<JudgedCall>]>([
    ['reads elsewhere', at('Read', '/etc/passwd')],
    ['reads through a link that leads elsewhere', at('Read', '/srv/repo/link', '/etc/passwd')],
    ['names a path that depends on the current folder', at('Read', 'a.ts', '/srv/repo/a.ts')],
    ['names no path', { toolName: 'Grep', input: { pattern: 'x' } }],
    ['runs a command that could change something', running({ isReadOnly: false })],
    ['runs a command that reads elsewhere', running({ reads: [{ named: '/etc', real: '/etc' }] })],
    ['runs a command that could read anything', running({ reads: undefined })],
    [
      'runs a command outside the sandbox',
      { ...running({}), input: { command: 'cat a', dangerouslyDisableSandbox: true } },
    ],
    ['fetches a page', { toolName: 'WebFetch', input: { url: 'https://example.com' } }],
    ['delegates to a new worktree', { toolName: 'Agent', input: { isolation: 'worktree' } }],
    ['uses a tool that nobody knows', { toolName: 'Launch' }],
    ['edits', at('Edit', '/srv/repo/a.ts')],
    ['edits in plan mode', { ...at('Edit', '/srv/repo/a.ts'), permissionMode: 'plan' }],
    [
      'edits a hidden file',
      { ...at('Write', '/srv/repo/.git/hooks/pre-commit'), permissionMode: 'acceptEdits' },
    ],
    ['edits elsewhere', { ...at('Write', '/etc/hosts'), permissionMode: 'acceptEdits' }],
    ['writes the plan after plan mode', at('Write', '/home/ada/.claude/plans/a.md')],
  ])('%s', (_what, call) => {
    expect(isAllowed(call)).toBe(false);
  });

  it.each<[string, Partial<JudgedCall>, boolean]>([
    ['reading', at('Read', '/srv/repo/a.ts'), false],
    ['delegating', { toolName: 'Agent', input: { prompt: 'p' } }, false],
    ['accepted edits', { ...at('Edit', '/srv/repo/a.ts'), permissionMode: 'acceptEdits' }, false],
    ['a schedule that the gate has passed', { toolName: 'CronCreate' }, true],
  ])('by Claude Code or a hook stays open unless our rules ask: %s', (_what, call, isOurs) => {
    expect(isAllowed(call, { asksFirst: false })).toBe(isOurs);
  });

  it('of a command is answered if our rules ask about every command', () => {
    const asks = { asksFirst: false, asksCommands: true };

    expect(isAllowed(running({}), asks)).toBe(true);
    expect(isAllowed(running({ isReadOnly: false }), asks)).toBe(false);
    expect(isAllowed(running({}), { ...asks, askRules: ['Bash(cat *)'] })).toBe(false);
    expect(isAllowed(running({}), { asksFirst: false })).toBe(false);
  });

  it.each(['Read', 'Read(./.env)', 'Edit', 'Grep', '*', 'mcp__*'])('has a rule that asks: %s', (rule) => {
    expect(isAllowed(at('Grep', '/srv/repo'), { askRules: [rule] })).toBe(false);
  });

  it.each(['Agent', 'Task(Explore)'])('has a rule that asks under either name of the tool: %s', (rule) => {
    expect(isAllowed({ toolName: 'Agent', input: { prompt: 'p' } }, { askRules: [rule] })).toBe(false);
  });

  it('is not affected by a rule about another tool', () => {
    expect(isAllowed(at('Read', '/srv/repo/a.ts'), { askRules: ['Bash(ls)'] })).toBe(true);
  });
});
