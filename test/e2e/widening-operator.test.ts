import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

describe('where only people approve', () => {
  it('a caller who names skills is refused, and without the name a person is asked', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_APPROVALS: 'human' },
    });
    const folder = join(sandbox.configDir, 'skills', 'touching');
    mkdirSync(folder, { recursive: true });
    const skill =
      '---\nname: touching\ndescription: touches\nallowed-tools: Bash(touch:*)\n---\nTouch a.txt.';
    writeFileSync(join(folder, 'SKILL.md'), skill);
    model.when('use it', [
      tool('Skill', { skill: 'touching' }),
      tool('Bash', { command: 'touch a.txt' }),
      text('touched'),
    ]);

    const named = await server.call('claude_code', {
      prompt: 'use it',
      advanced: { skills: ['touching'] },
    });
    const { json } = await server.call('claude_code', { prompt: 'use it', waitMs: 20_000 });

    expect(named.text).toMatch(/^Error \[PERMISSION_DENIED\]: skills "Skill\(touching\)"/);
    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Skill' }] });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});
