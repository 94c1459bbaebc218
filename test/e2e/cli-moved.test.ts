import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { start, wants } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

it.each([
  ['in plan mode', 'cd sub', {}, { permissionMode: 'plan' }],
  ['inside roots', 'cd "$PWD/sub"', { CLAUDE_CODE_MCP_ROOTS: 'project' }, {}],
] as const)(
  'without a gate, every command after an approved change of the folder is asked about, %s',
  async (_where, command, env, options) => {
    const { model, sandbox } = await startBackstage();
    const { project, root } = sandbox;
    const roots = 'CLAUDE_CODE_MCP_ROOTS' in env ? { CLAUDE_CODE_MCP_ROOTS: project } : {};
    const server = await connectServer({
      era: 'modern',
      model,
      sandbox,
      env: { CLAUDE_CODE_MCP_BACKEND: 'cli', CLAUDE_CODE_MCP_APPROVALS: 'any', ...roots },
    });
    onTestFinished(() => server.close());
    writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
    writeFileSync(join(project, 'notes'), 'plain\n');
    mkdirSync(join(project, 'sub'));
    symlinkSync(join(root, 'secret.txt'), join(project, 'sub', 'notes'));
    wants({ model, sandbox, server }, tool('Bash', { command }), tool('Bash', { command: 'cat notes' }));
    const asked = await start({ model, sandbox, server }, options);

    const moved = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
      waitMs: 20_000,
    });

    expect(moved.json.actions?.[0]?.input).toMatchObject({ command: 'cat notes' });
    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
  },
);
