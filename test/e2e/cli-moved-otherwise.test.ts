import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { any, start, wants } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it.each(['z sub'])(
  'without a gate, every command after an approved one that may have moved is asked about: %s',
  async (command) => {
    const env = { ...any, CLAUDE_CODE_MCP_BACKEND: 'cli', SHELL: '/bin/bash' };
    const scene = await startScene({ era: 'modern', env });
    const { home, project, root } = scene.sandbox;
    // As zoxide and many profiles define it.
    writeFileSync(join(home, '.bashrc'), 'z() { cd "$1"; }\ns() { cd sub; }\nsub() { cd sub; }\n');
    writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
    writeFileSync(join(project, 'notes'), 'plain\n');
    for (const folder of ['sub', 'c']) {
      mkdirSync(join(project, folder));
      symlinkSync(join(root, 'secret.txt'), join(project, folder, 'notes'));
    }
    wants(scene, tool('Bash', { command }), tool('Bash', { command: 'cat notes' }));
    const asked = await start(scene, { permissionMode: 'plan' });

    const moved = await scene.server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
      waitMs: 20_000,
    });

    expect(moved.json.actions?.[0]?.input).toMatchObject({ command: 'cat notes' });
    const sent = JSON.stringify(scene.model.requests().map(({ body }) => body));
    expect(sent.includes('hidden words')).toBe(false);
  },
);
