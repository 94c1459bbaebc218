import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';

describe('a list of sessions', () => {
  it('fits into one answer, however much there is', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const folder = join(scene.sandbox.configDir, 'projects', '-many');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 150; index += 1) {
      const message = { role: 'user', content: `"quoted" \u202e${'é\n'.repeat(2_000)}` };
      writeFileSync(
        join(folder, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}.jsonl`),
        `${JSON.stringify({ type: 'user', message, cwd: `/deep${'/folder'.repeat(100)}` })}\n`,
      );
    }

    const { text, json } = await scene.server.call('claude_code_session', {
      action: 'list',
      scope: 'disk',
      limit: 100,
    });

    const shown = json.sessions?.length ?? 0;
    expect(text.length).toBeLessThanOrEqual(7_500);
    expect(shown).toBeGreaterThan(10);
    expect(json.message).toBe(`${150 - shown} older sessions are not shown (continue with offset ${shown})`);
    expect(text).not.toContain('\u202e');
  });
});
