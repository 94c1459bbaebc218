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

    it('those inside need none, nor does what Claude Code stores about the session itself', () => {
      const judged = [
        '/p/a',
        `/home/u/.claude/projects/-p/${own}/tool-results/a.txt`,
        `/tmp/claude-1000/-p/${own}/tasks/a.output`,
      ].map((file_path) => judge('Read', { file_path }, 'auto', bounded));

      expect(judged).toEqual(['pass', 'pass', 'pass']);
    });

    it.each([
      ['are left to Claude Code where it asks', 'default', { isHumanOnly: true }, 'pass'],
      ['need approval in mode auto', 'auto', {}, outside],
      ['need approval after a skill', 'default', { isHumanOnly: true, hasUsedSkill: true }, outside],
      [
        'need approval if Read is pre-approved',
        'default',
        { isHumanOnly: true, allowedTools: ['Read'] },
        outside,
      ],
    ])(
      'plans and memory, which may be those of other sessions and projects, %s',
      (_how, mode, changes, verdict) => {
        for (const file_path of ['/home/u/.claude/projects/-q/memory/a.md', '/home/u/.claude/plans/a.md'])
          expect(judge('Read', { file_path }, mode, { ...bounded, ...changes })).toEqual(verdict);
      },
    );

    it('transcripts of others need approval, too, even if the operator lets sessions read them', () => {
      const file_path = '/home/u/.claude/projects/-q/22222222-2222-4222-8222-222222222222.jsonl';
      const facts = { ...bounded, mayReadOthers: true, allowedTools: ['Read'] };

      expect(judge('Read', { file_path }, 'default', facts)).toEqual(outside);
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
