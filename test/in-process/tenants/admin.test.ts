import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServiceInProcess } from '../../kit/in-process-service.js';
import { text, tool } from '../../kit/model-steps.js';

const admin = ['call', 'approve', 'admin'] as const;

describe.each(['modern', 'legacy'] as const)('an administrator, %s era', (era) => {
  it('acts for a principal by its path, and is named in the audit log', async () => {
    const scene = await startServiceInProcess({
      principals: { 'alice@x.org': {} },
      env: { CLAUDE_CODE_MCP_APPROVALS: 'any' },
      envFor: ({ root }) => ({ CLAUDE_CODE_MCP_AUDIT_LOG: join(root, 'audit.jsonl') }),
    });
    scene.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const alice = await scene.connect('alice@x.org', { era });
    const { json } = await alice.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
    const { sessionId, actions } = json;
    const owner = await scene.connect('owner', { era, scopes: admin });
    const acting = await scene.connect('owner', { era, scopes: admin, path: '/mcp/alice%40x.org' });

    const own = await owner.call('claude_code_check', { sessionId });
    const seen = await acting.call('claude_code_check', { sessionId });
    const requestId = actions?.[0]?.requestId;
    const answered = await acting.call('claude_code_respond', { requestId, decision: 'allow' });
    await scene.close();

    expect(own.text).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
    expect(seen.json).toMatchObject({ sessionId, status: 'waiting' });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    const settled = readFileSync(join(scene.sandbox.root, 'audit.jsonl'), 'utf8')
      .split('\n')
      .find((line) => line.includes('"input_settled"'));
    expect(JSON.parse(settled ?? '')).toMatchObject({
      principal: 'alice@x.org',
      login: 'owner-3',
      decision: 'allow',
      answeredBy: 'caller',
    });
  });

  it('is refused without the scope, whether or not the principal exists', async () => {
    const scene = await startServiceInProcess({ principals: { alice: {}, bob: {} } });

    const refusals = await Promise.all(
      ['alice', 'nobody'].map((name) =>
        scene.connect('bob', { era, path: `/mcp/${name}` }).then(
          () => 'connected',
          (error: unknown) => String(error),
        ),
      ),
    );

    expect(refusals[0]).toMatch(/403|admin/);
    expect(refusals[0]).toBe(refusals[1]);
  });
});
