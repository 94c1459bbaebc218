import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeTokens } from '../../../src/app/service/compose-tokens.js';
import { touch, writePlan } from '../../kit/approval-moves.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';

it('a plan that another client approves does not lead back to a bypass that is not its own', async () => {
  const { sandbox, model } = await startBackstage();
  const tokens = composeTokens(sandbox.stateDir);
  const env = { CLAUDE_CODE_MCP_APPROVALS: 'auto', CLAUDE_CODE_MCP_TOOLSETS: 'async,configure' };
  const [token, other] = await Promise.all(
    ['one', 'two'].map((name) =>
      tokens.create({ name, principal: 'owner', scopes: ['call', 'approve'], now: Date.now() }),
    ),
  );
  const { url } = await startService({ sandbox, model, env });
  const consenting = await connectHttp(url, { era: 'modern', token });
  const second = await connectHttp(url, { era: 'modern', token: other });
  model.when('think', [tool('EnterPlanMode', {}), text('Thinking.')]);
  model.when('build', [writePlan('# Plan'), tool('ExitPlanMode', {}), tool('Bash', touch), text('Built.')]);
  await consenting.call('claude_code_configure', { action: 'enable_bypass' });
  const { json } = await consenting.call('claude_code', {
    prompt: 'think',
    cwd: sandbox.project,
    permissionMode: 'bypassPermissions',
    waitMs: 20_000,
  });

  const planned = await second.call('claude_code_reply', {
    sessionId: json.sessionId,
    prompt: 'build',
    waitMs: 20_000,
  });
  const requestId = planned.json.actions?.[0]?.requestId;
  const approved = await second.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 20_000 });

  expect(planned.json).toMatchObject({ status: 'waiting', actions: [{ type: 'plan_review' }] });
  expect(approved.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash', input: touch }] });
  expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
});
