import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { isolationOf } from '../../../src/session/approval/agent-isolation.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** A home folder and a project with these definitions of subagents. */
function prepare(files: Readonly<Record<string, string>>) {
  const root = realpathSync(temporaryFolder());
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const claudeHome = {
    ...resolveClaudeHome({ home: join(root, 'home') }),
    managedDir: join(root, 'managed'),
  };
  const isolation = (type: unknown, isTrusted = false, agents = {}) =>
    isolationOf(
      { toolName: 'Agent', input: { subagent_type: type, prompt: 'p' } },
      {
        cwd: join(root, 'project', 'app'),
        settingSources: isTrusted ? ['user', 'project'] : ['user'],
        agents,
      },
      claudeHome,
    );
  return { root, isolation };
}

function agent(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: d\n${more}---\nHelp.\n`;
}

const isolated = 'isolation: worktree\n';

describe('a subagent', () => {
  it.each([undefined, 7, 'Explore', 'general-purpose', 'GENERAL_PURPOSE', 'helper', 'Helper', 'mine'])(
    'has no worktree unless its definition asks for one: %j',
    (type) => {
      const { isolation } = prepare({
        'home/.claude/agents/a.md': agent('helper'),
        'home/.claude/agents/README.txt': isolated,
      });

      expect(isolation(type, true, { mine: {} })).toBeUndefined();
    },
  );

  it.each(['git-bot', 'Git Bot', ' GITBOT ', 'git_bot'])(
    'has one if its definition asks for it, however a call spells its name: %j',
    (type) => {
      const { isolation } = prepare({ 'home/.claude/agents/deep/a.md': agent('git-bot # mine', isolated) });

      expect(isolation(type)).toBe('worktree');
    },
  );

  it('has none if only its description or its instructions speak of isolation', () => {
    const text =
      '---\nname: helper\ndescription: Checks the isolation of tenants\n---\nTest in isolation: always.\n';
    const { isolation } = prepare({
      'home/.claude/agents/a.md': text,
      'home/.claude/agents/README.md': '# Agents\nisolation: none\n',
    });

    expect(isolation('helper')).toBeUndefined();
  });

  it.each([
    'name: >-\n  git-bot\ndescription: d\nisolation: worktree',
    '"name": git-bot\ndescription: d\nisolation: worktree',
    'name : git-bot\ndescription: d\n"isol\\u0061tion": worktree',
    'name: &x git-bot\ndescription: d\n? isolation\n: worktree',
    'name: git\n  bot\ndescription: d\nisolation: worktree',
    '"name": git-bot\nname:x\ndescription: d\nisolation: worktree',
    '"name": git-bot\nisolation: worktree\ndescription: ends here ---\nname: y',
    '{"name": "git-bot", "description": "d", "isolation": "worktree"}',
    '{ name: git-bot,\ndescription: works, isolation: worktree }',
    '# Mine\n{ name: git-bot\n,\ndescription: works, isolation: worktree }',
  ])('has one if a definition asks for it whose name cannot be read: %j', (definition) => {
    const text = `---\n${definition}\n---\nname: helper\n`;
    const { isolation } = prepare({ 'home/.claude/agents/a.md': text });

    expect([isolation('git-bot'), isolation('helper')]).toEqual(['worktree', 'worktree']);
  });

  it('has one if a definition that replaces one of Claude Code asks for it', () => {
    const { isolation } = prepare({ 'home/.claude/agents/a.md': agent('"general-purpose"', isolated) });

    expect([isolation(undefined), isolation('Explore')]).toEqual(['worktree', undefined]);
  });

  it('has one if the machine, or a trusted project or a folder above it, defines it so', () => {
    const { isolation } = prepare({
      'managed/.claude/agents/a.md': agent('managed', isolated),
      'project/app/.claude/agents/a.md': agent('inner', isolated),
      'project/.claude/agents/a.md': agent('outer', isolated),
    });

    const found = ['managed', 'inner', 'outer'].map((type) => [isolation(type, true), isolation(type)]);

    expect(found).toEqual([
      ['worktree', 'worktree'],
      ['worktree', 'unknown'],
      ['worktree', 'unknown'],
    ]);
  });

  it('has one if its definition is behind a link', () => {
    const { root, isolation } = prepare({
      'shared/a.md': agent('linked', isolated),
      'home/.claude/agents/b.md': agent('b'),
    });
    symlinkSync(join(root, 'shared'), join(root, 'home', '.claude', 'agents', 'team'));

    expect(isolation('linked')).toBe('worktree');
  });

  it.each([
    ['itself', (path: string) => path],
    ['the folder above it', dirname],
  ])('is known beside a link to %s', (_what, target) => {
    const { root, isolation } = prepare({ 'home/.claude/agents/a.md': agent('git-bot', isolated) });
    const path = join(root, 'home', '.claude', 'agents', 'loop');
    symlinkSync(target(path), path);

    expect([isolation('git-bot'), isolation('nobody')]).toEqual(['worktree', 'unknown']);
  });

  it('has none beside a link to the folder above it, in which each definition is read once', () => {
    const { root, isolation } = prepare({ 'home/.claude/agents/a.md': agent('helper') });
    const folder = join(root, 'home', '.claude', 'agents');
    symlinkSync(folder, join(folder, 'loop'));

    expect(isolation('Explore')).toBeUndefined();
  });

  it('has none beside a long text that defines none, however long the instructions of others are', () => {
    const long = 'x'.repeat(100_000);
    const { isolation } = prepare({
      'home/.claude/agents/README.md': long,
      'home/.claude/agents/a.md': `${agent('helper')}${long}`,
    });

    expect(isolation('helper')).toBeUndefined();
  });

  it.each(['plugin:helper', 'nobody'])('is unknown if no file defines it: %j', (type) => {
    const { isolation } = prepare({ 'home/.claude/agents/a.md': agent('general-purpose') });

    expect(isolation(type)).toBe('unknown');
  });

  it.each([
    ['a name that is not plain', agent('>\n  helper', isolated)],
    ['a file whose head is too long', agent('helper', `# ${'x'.repeat(100_000)}\n`)],
  ])('is unknown beside %s', (_what, text) => {
    const { isolation } = prepare({ 'home/.claude/agents/a.md': text });

    expect(isolation('Explore')).toBe('unknown');
  });
});

describe('definitions are read at once', () => {
  it.each([
    ['spaces after a name', agent(`a${' '.repeat(60_000)}!`)],
    ['empty lines after a name', agent(`a${'\n'.repeat(60_000)}!`)],
    ['names', agent('a', 'name: a\n'.repeat(6_000))],
    ['empty lines before the head', `${'\n'.repeat(60_000)}!`],
  ])('that have very many %s', (_what, text) => {
    const names = Array.from({ length: 20 }, (_, index) => `home/.claude/agents/${index}.md`);
    const { isolation } = prepare(Object.fromEntries(names.map((name) => [name, text])));
    const start = performance.now();

    isolation('Explore');

    // It takes some 20 ms.
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('however many there are: of the rest, nothing is known', () => {
    const text = agent('helper', `# ${'x'.repeat(60_000)}\n`);
    const names = Array.from({ length: 200 }, (_, index) => `home/.claude/agents/${index}.md`);
    const { isolation } = prepare(Object.fromEntries(names.map((name) => [name, text])));

    expect(isolation('Explore')).toBe('unknown');
  });
});

it('a call of another tool starts no subagent', () => {
  const { isolation: _isolation, root } = prepare({});

  expect(
    isolationOf(
      { toolName: 'Bash', input: { subagent_type: 'x' } },
      { cwd: root, settingSources: ['user'] },
      resolveClaudeHome({ home: root }),
    ),
  ).toBeUndefined();
});
