import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const tinyServer = join(import.meta.dirname, '..', 'kit', 'tiny-server.mjs');
const served = (by: string) => ({
  type: 'stdio',
  command: process.execPath,
  args: [tinyServer, `--by=${by}`],
});

/** The user's own MCP servers, in Claude Code's state file. */
function configure({ sandbox }: Scene, mcpServers: object): void {
  writeFileSync(join(sandbox.configDir, '.claude.json'), JSON.stringify({ mcpServers }));
}

it('an approver reads who brought the server that Claude Code really calls', async () => {
  const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
  const { server, model, sandbox } = scene;
  configure(scene, { 'my.notes': served('user'), tickets: served('user') });
  model.when('go', [tool('mcp__my_notes__who', {}), tool('mcp__tickets__who', {}), text('Done.')]);

  const first = await server.call('claude_code', {
    prompt: 'go',
    cwd: sandbox.project,
    waitMs: 20_000,
    advanced: { mcpServers: { tickets: served('caller') } },
  });
  const allow = ({ json }: typeof first) =>
    server.call('claude_code_respond', { requestId: json.actions?.[0]?.requestId, decision: 'allow' });
  const second = await allow(first);
  await allow(second);
  const { sessionId } = first.json;
  const { json } = await server.call('claude_code_check', { sessionId, cursor: 0, include: ['events'] });

  expect([first, second].map((asked) => asked.json.actions)).toMatchObject([
    [{ toolName: 'mcp__my_notes__who', server: `from the user's configuration: \`${process.execPath}\`` }],
    [{ toolName: 'mcp__tickets__who', server: `brought by the caller: \`${process.execPath}\`` }],
  ]);
  expect(json.events?.filter(({ type }) => type === 'tool_result').map((event) => event.text)).toEqual([
    expect.stringContaining('"argv":["--by=user"]'),
    expect.stringContaining('"argv":["--by=caller"]'),
  ]);
});
