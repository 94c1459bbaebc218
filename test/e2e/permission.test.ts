import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

describe.each(['modern', 'legacy'] as const)('a permission, %s era', (era) => {
  it('is asked, allowed and honoured in three calls and 1,200 bytes', async () => {
    const { server, model, sandbox } = await startScene({ era });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt', description: 'Make it' }), text('Done.')]);

    const started = await server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project });
    const asked = await server.call('claude_code_check', { sessionId: started.json.sessionId });
    const requestId = asked.json.actions?.[0]?.requestId;
    const answered = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [
        {
          type: 'permission',
          toolName: 'Bash',
          summary: 'Bash: touch a.txt. Claude says: "Make it"',
          input: { command: 'touch a.txt', description: 'Make it' },
          accepts: ['allow', 'deny'],
        },
      ],
    });
    expect(answered.json).toMatchObject({
      status: 'idle',
      result: { result: 'Done.', isError: false, outcome: 'completed', turn: 1, totalCostUsd: 0.0088 },
    });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(Buffer.byteLength(started.text + asked.text + answered.text)).toBeLessThanOrEqual(1_200);
  });
});
