import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { any, exists } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

it.each(['agent-sdk', 'cli'])(
  'an approval for the whole session ends when the link in a command changes (%s)',
  async (backend) => {
    const scene = await startScene({ era: 'modern', env: { ...any, CLAUDE_CODE_MCP_BACKEND: backend } });
    const { server, model, sandbox } = scene;
    const outside = join(sandbox.root, 'outside');
    const link = join(sandbox.project, 'run.sh');
    mkdirSync(outside);
    writeFileSync(join(outside, 'first.sh'), ':\n');
    writeFileSync(join(outside, 'second.sh'), 'touch a.txt\n');
    symlinkSync(join(outside, 'first.sh'), link);
    for (const prompt of ['run it', 'once more'])
      model.when(prompt, [tool('Bash', { command: 'sh run.sh' }), text('over')]);
    const { json } = await server.call('claude_code', {
      prompt: 'run it',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    await server.call('claude_code_respond', {
      requestId: json.actions?.[0]?.requestId,
      decision: 'allow_for_session',
      waitMs: 20_000,
    });
    unlinkSync(link);
    symlinkSync(join(outside, 'second.sh'), link);

    const again = await server.call('claude_code_reply', {
      sessionId: json.sessionId,
      prompt: 'once more',
      waitMs: 20_000,
    });

    expect(exists(scene, 'a.txt')).toBe(false);
    expect(again.json.status).toBe('waiting');
  },
);
