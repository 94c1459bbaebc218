import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';

describe.each(['modern', 'legacy'] as const)('over HTTP, in the %s era', (era) => {
  it('a session asks, is allowed and finishes', async () => {
    const { model, sandbox } = await startBackstage();
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const { url, token } = await startService({
      sandbox,
      model,
      env: { CLAUDE_CODE_MCP_APPROVALS: 'any' },
    });
    const { call } = await connectHttp(url, { era, token });

    const asked = await call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const answered = await call('claude_code_respond', { requestId, decision: 'allow' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ type: 'permission' }] });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });
});

describe('a request without the right token', () => {
  it.each([
    ['none', undefined],
    ['a wrong one', 'ccm_wrong'],
  ])('is refused: %s', async (_what, token) => {
    const { sandbox } = await startBackstage();
    const { url } = await startService({ sandbox });

    await expect(connectHttp(url, { era: 'modern', token })).rejects.toThrow();
  });
});
