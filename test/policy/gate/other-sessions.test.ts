import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherSessionReason } from '../../../src/policy/gate/other-sessions.js';

const own = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const projects = '/home/ann/.claude/projects';

function reasonFor(toolName: string, path: string, changes: object = {}, permissionMode = 'default') {
  const input = toolName === 'Bash' ? { command: `cat ${path}` } : { file_path: path };
  const call = { toolUseId: 't', toolName, input, permissionMode, targets: [{ named: path, real: path }] };
  return otherSessionReason(call, { claudeDir: '/home/ann/.claude', ownSession: own, ...changes });
}

describe.skipIf(sep === '\\')('what Claude Code stored about a session', () => {
  it.each([
    `${projects}/-p/${other}.jsonl`,
    `${projects}/-p/${other}/subagents/agent-a.jsonl`,
    `${projects}/-p/${other}/tool-results/x.txt`,
    `${projects}/-p/*.jsonl`,
    `${projects}/-p`,
    projects,
    `/home/ann/.claude/tasks/${other}/1.json`,
    '/home/ann/.claude/tasks',
    '/home/ann/.claude/teams',
    '/home/ann/.claude/teams/birds/inboxes/wren.json',
    `/tmp/claude-1000/-p/${other}/tasks/b.output`,
    '/tmp/claude-1000/-p',
    '/tmp/claude-1000',
    '/tmp/claude-*/*/*/tasks',
    '/home/ann/.claude',
    '/home/ann/.c*/p*/*/*.jsonl',
    '/home/ann/.claude/history.jsonl',
    `/home/ann/.claude/file-history/${other}/a@v1`,
    '/home/ann/.claude/paste-cache/a.txt',
    `/home/ann/.claude/todos/${other}-agent-${other}.json`,
  ])('needs approval if it is another one: %s', (path) => {
    for (const toolName of ['Read', 'Grep', 'Bash'])
      expect(reasonFor(toolName, path)).toBe('This reads what Claude Code stored about other sessions');
  });

  it.each(['/', '/home', '/home/ann', '/home/**/*.jsonl', '/tmp', '/private/tmp'])(
    'needs approval for a search around it, but not for a word of a command: %s',
    (path) => {
      expect(reasonFor('Grep', path)).toBe('This reads what Claude Code stored about other sessions');
      expect(reasonFor('Bash', path)).toBeUndefined();
    },
  );

  it('needs approval also where the user has moved the folder, by its usual name', () => {
    const target = { named: `${projects}/-p/${other}.jsonl`, real: `/data/-p/${other}.jsonl` };
    const call = {
      toolUseId: 't',
      toolName: 'Read',
      input: {},
      permissionMode: 'default',
      targets: [target],
    };

    expect(otherSessionReason(call, { claudeDir: '/home/ann/.claude', ownSession: own })).toBeDefined();
  });

  it('does not hold each command of a session that works in the folder around it', () => {
    const changes = { ownFolders: ['/home/ann/.claude'] };

    expect(reasonFor('Bash', '/home/ann/.claude', changes)).toBeUndefined();
    expect(reasonFor('Grep', '/home/ann/.claude', changes)).toBeDefined();
  });

  it.each([
    `${projects}/-p/${own}.jsonl`,
    `${projects}/-p/${own}/tool-results/x.txt`,
    `${projects}/-p/memory/MEMORY.md`,
    `/home/ann/.claude/tasks/${own}/1.json`,
    `/tmp/claude-1000/-p/${own}/tasks/b.output`,
    '/home/ann/.claude/skills/a/SKILL.md',
    '/home/ann/projects/-p/a.jsonl',
    '/tmp/claude-1000/work',
    `/home/ann/.claude/file-history/${own}/a@v1`,
    `/home/ann/.claude/todos/${own}-agent-${own}.json`,
    '/home/ann/.claude/plans/a-plan.md',
    '/home/ann/.claude/CLAUDE.md',
    '/home/ann/app/src/[id]/page.tsx',
    '/home/ann/claude-3',
  ])('does not need it otherwise: %s', (path) => {
    expect(reasonFor('Read', path)).toBeUndefined();
  });

  it.each([
    '/home/ann/claude-4/*.md',
    '/home/ann/claude-4/*/*.ts',
    '/home/ann/claude-4/plugins/claude-*/*.json',
    '/home/ann/claude-4/claude-3/{a,b}.ts',
  ])('does not need it in a project with such a name: %s', (path) => {
    expect(reasonFor('Bash', path, { ownFolders: ['/home/ann/claude-4'] })).toBeUndefined();
  });

  it.each([
    '/tmp/claude-*/*.output',
    '/tmp/claude-1000/*/x',
    '/data/claude-1000/*/*/tasks',
    '/tmp/work/claude-1000/-p/x',
    `/tmp/work/claude-1000/p/${other}/x`,
  ])('needs it for the folder of all tasks, wherever the session works: %s', (path) => {
    expect(reasonFor('Bash', path, { ownFolders: ['/tmp', '/tmp/work'] })).toBeDefined();
  });

  it('needs none where the operator lets callers read other sessions, in bypass, or to write a plan', () => {
    const path = `${projects}/-p/${other}.jsonl`;

    expect(reasonFor('Read', path, { mayReadOthers: true })).toBeUndefined();
    expect(reasonFor('Read', path, {}, 'bypassPermissions')).toBeUndefined();
    expect(reasonFor('Write', path)).toBeUndefined();
  });
});
