import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServiceInProcess, type InProcessClient } from '../../kit/in-process-service.js';
import { text, tool } from '../../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../../kit/person.js';

describe.each(['modern', 'legacy'] as const)('a token without the scope approve, %s era', (era) => {
  async function scene() {
    const service = await startServiceInProcess({
      env: {
        CLAUDE_CODE_MCP_APPROVALS: 'any',
        CLAUDE_CODE_MCP_CALLER_TRUST: 'full',
        CLAUDE_CODE_MCP_TOOLSETS: 'async,configure',
      },
    });
    service.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const capabilities = formCapability;
    const script = await service.connect('owner', { era, capabilities, scopes: ['call'] });
    const laptop = await service.connect('owner', { era, scopes: ['call', 'approve'] });
    const cwd = service.rootOf('owner');
    const start = (client: InProcessClient, options: object = {}) =>
      client.call('claude_code', { prompt: 'touch it', cwd, waitMs: 20_000, ...options });
    return { ...service, script, laptop, cwd, start };
  }

  it('starts sessions, but cannot answer their requests by a tool or a form', async () => {
    const { script, laptop, cwd, start } = await scene();
    const person = seatPerson(script, () => accept({ decision: 'allow' }));
    const asked = await start(script);
    const requestId = asked.json.actions?.[0]?.requestId;

    const refused = await Promise.all(
      ['allow', 'deny'].map((decision) => script.call('claude_code_respond', { requestId, decision })),
    );
    const isUntouched = !existsSync(join(cwd, 'a.txt'));
    const answered = await laptop.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(refused.map((reply) => reply.text)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.stringMatching(/^Error \[PERMISSION_DENIED\]: the token of this client .* scope "approve"/),
      ),
    );
    expect({ forms: person.forms, isUntouched }).toEqual({ forms: [], isUntouched: true });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it.each([
    ['a tool', { allowedTools: ['Bash'] }],
    ['edits', { permissionMode: 'acceptEdits' }],
    ['everything', { permissionMode: 'bypassPermissions' }],
  ])('cannot approve %s in advance', async (_what, options) => {
    const { script, laptop, start } = await scene();

    const refused = await start(script, options);
    const allowed = await start(laptop, options);

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]/);
    expect(allowed.isError).toBeFalsy();
  });

  it('cannot switch approvals off', async () => {
    const { script } = await scene();

    const refused = await script.call('claude_code_configure', { action: 'enable_bypass' });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: the token of this client/);
  });
});
