import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { human, start, wants } from '../kit/approval-moves.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

/** The server works in the project, whose subfolder has a link of the same name to a file outside. */
async function linkedScene(env: Record<string, string>): Promise<Scene & { cwd: string }> {
  const scene = await startScene({ era: 'modern', env });
  const { project, root } = scene.sandbox;
  const cwd = join(project, 'sub');
  mkdirSync(cwd);
  writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
  writeFileSync(join(project, 'notes'), 'plain words\n');
  symlinkSync(join(root, 'secret.txt'), join(cwd, 'notes'));
  symlinkSync('/proc/self/cwd/notes', join(project, 'link'));
  return { ...scene, cwd };
}

function expectNothingSent({ model }: Scene): void {
  expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
}

describe.skipIf(process.platform !== 'linux')('a path that means another file in each process', () => {
  const path = '/proc/self/cwd/notes';

  it.each([
    ['Bash', { command: `cat ${path}` }, 'cli', {}],
    ['Read', { file_path: path }, 'agent-sdk', { allowedTools: ['Read'] }],
  ])('is asked about: %s %j (%s)', async (name, input, backend, options) => {
    const scene = await linkedScene({ ...human, CLAUDE_CODE_MCP_BACKEND: backend });
    wants(scene, tool(name, input));

    const advanced = { additionalDirectories: [scene.sandbox.project] };
    const { json } = await start(scene, { cwd: scene.cwd, advanced, ...options });

    expectNothingSent(scene);
    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: name, input }] });
  });

  it('is asked about behind a link, after a change of the folder', async () => {
    const scene = await linkedScene({ CLAUDE_CODE_MCP_APPROVALS: 'auto', CLAUDE_CODE_MCP_ROOTS: '/' });
    wants(scene, tool('Bash', { command: 'cd sub' }), tool('Bash', { command: 'cat ../link' }));

    const first = await start(scene);
    const { sessionId, actions: [moving] = [] } = first.json;
    const requestId = moving?.requestId;
    await scene.server.call('claude_code_respond', { sessionId, requestId, decision: 'allow' });
    const { json } = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expectNothingSent(scene);
    expect(moving?.input).toMatchObject({ command: 'cd sub' });
    expect(json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'cat ../link' } }] });
  });
});
