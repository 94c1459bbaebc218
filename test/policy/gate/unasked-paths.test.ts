import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from './judging.js';

const own = '11111111-1111-4111-8111-111111111111';
const bounded = { folders: ['/p'], ownFolders: ['/p'], ownSession: own };
const outside = { ask: "This path is outside the session's folders", isGrantable: true };

describe.skipIf(sep === '\\')(
  'where reading is bounded and Claude Code would not ask about files outside the folders',
  () => {
    it.each([
      ['in mode auto', 'auto', {}],
      ['in a mode that nobody knows yet', 'newMode', {}],
      ['in a mode that the backend does not know', '', {}],
      ['where only people approve', 'default', { isHumanOnly: true }],
      ['after a skill', 'default', { hasUsedSkill: true }],
      ['after a skill, where edits are accepted', 'acceptEdits', { hasUsedSkill: true }],
    ])('reading and editing them needs approval: %s', (_where, mode, changes) => {
      const judged = ['Read', 'Grep', 'Glob', 'LSP', 'Edit', 'Write', 'NotebookEdit'].map((toolName) =>
        judge(toolName, { file_path: '/q/a', path: '/q', notebook_path: '/q/a' }, mode, {
          ...bounded,
          ...changes,
        }),
      );

      expect(judged).toEqual(Array.from({ length: 7 }, () => outside));
    });

    it('those inside need none, nor do plans, memory, and what Claude Code stores about the session itself', () => {
      const judged = [
        '/p/a',
        `/home/u/.claude/projects/-p/${own}/tool-results/a.txt`,
        `/tmp/claude-1000/-p/${own}/tasks/a.output`,
        '/home/u/.claude/projects/-p/memory/MEMORY.md',
        '/home/u/.claude/plans/a.md',
      ].map((file_path) => judge('Read', { file_path }, 'auto', bounded));

      expect(judged).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
    });

    it.each([
      '/home/u/.claude/.credentials.json',
      '/home/u/.claude/skills/a/SKILL.md',
      '/home/*/.claude/plans/a.md',
      `/q/claude-1000/-p/${own}/tasks/a.output`,
    ])('other files do, also beside those: %s', (file_path) => {
      expect(judge('Read', { file_path }, 'auto', bounded)).toEqual(outside);
    });

    it('editing a plan needs approval, too', () => {
      expect(judge('Write', { file_path: '/home/u/.claude/plans/a.md' }, 'auto', bounded)).toEqual(outside);
    });
  },
);

it('where reading is not bounded, or Claude Code asks, files outside the folders are left to it', () => {
  const input = { file_path: '/q/a' };

  expect(judge('Read', input, 'auto')).toBe('pass');
  expect(judge('Read', input, 'default', { hasUsedSkill: true })).toBe('pass');
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk'])
    expect(judge('Read', input, mode, bounded)).toBe('pass');
  expect(judge('Read', input, 'bypassPermissions', { ...bounded, hasUsedSkill: true })).toBe('pass');
});
