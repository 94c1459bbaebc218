import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

const forms = { elicitation: { form: {} } };

it.each([
  ['agent-sdk', 'with roots', true, {}],
  ['agent-sdk', 'where a person can be asked', false, forms],
  ['cli', 'with roots', true, {}],
])(
  'a skill reads no file outside the folders without approval: %s, %s',
  async (backend, _where, hasRoots, capabilities) => {
    const { model, sandbox } = await startBackstage();
    const roots = hasRoots ? { CLAUDE_CODE_MCP_ROOTS: sandbox.project } : {};
    const server = await connectServer({
      sandbox,
      model,
      era: 'modern',
      env: { ...roots, CLAUDE_CODE_MCP_BACKEND: backend },
      capabilities,
    });
    onTestFinished(() => server.close());
    if ('elicitation' in capabilities)
      server.client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' as const }));
    const secret = join(sandbox.home, 'id_rsa');
    writeFileSync(secret, 'the private key');
    // The skill comes with Claude Code.
    model.when('draw', [tool('Skill', { skill: 'dataviz', args: `@${secret}` }), text('done')]);

    const { json } = await server.call('claude_code', {
      prompt: 'draw',
      cwd: sandbox.project,
      waitMs: 8_000,
    });

    expect(json.status).toBe('waiting');
    expect(JSON.stringify(model.requests().map(({ body }) => body))).not.toContain('the private key');
  },
);
